// Answers that are kept, so that going back and forth asks nothing twice.

/** Answers that are kept; the oldest goes first. */
const MOST_KEPT = 400;

export class KeptAnswers {
  private readonly answers = new Map<string, Promise<unknown>>();

  /** The answer to a question, asked for if it is not there; one that fails is not kept. */
  get<T>(question: string, ask: () => Promise<T>): Promise<T> {
    const known = this.answers.get(question);
    if (known) return known as Promise<T>;
    const answer = ask();
    this.answers.set(question, answer);
    if (this.answers.size > MOST_KEPT) this.answers.delete(this.answers.keys().next().value as string);
    answer.catch(() => this.answers.delete(question));
    return answer;
  }
}
