// Whether the page has waited for the server for a while, and should say so.

/** The time after which a wait is mentioned, in milliseconds. */
const A_WHILE = 3000;

class Waiting {
  private late = $state(0);

  /** Whether an answer is late. */
  get long(): boolean {
    return this.late > 0;
  }

  /** Returns an answer, and notes while it is late. */
  async during<T>(answer: Promise<T>): Promise<T> {
    let late = 0;
    const timer = setTimeout(() => (this.late += late = 1), A_WHILE);
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
      this.late -= late;
    }
  }
}

export const waiting = new Waiting();
