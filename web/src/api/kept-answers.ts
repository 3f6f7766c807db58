// A cache of answers, so that going back and forth repeats no requests.

/** The size of the cache; the oldest answer is evicted first. */
const MAX_KEPT = 400;

export class KeptAnswers {
  private readonly answers = new Map<string, Promise<unknown>>();

  /** Returns the cached answer, or requests it. Failures are not cached, nor are answers that a limit cut short. */
  get<T>(question: string, ask: () => Promise<T>): Promise<T> {
    const known = this.answers.get(question);
    if (known) return known as Promise<T>;
    const answer = ask();
    this.answers.set(question, answer);
    if (this.answers.size > MAX_KEPT) this.answers.delete(this.answers.keys().next().value as string);
    const forget = () => this.answers.delete(question);
    answer.then((given) => (given as { incomplete?: boolean } | null)?.incomplete && forget(), forget);
    return answer;
  }
}
