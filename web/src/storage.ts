// What the browser keeps for its owner: the theme, puzzles that were solved. Storage may be forbidden; then nothing is
// kept and nothing breaks.

const PREFIX = 'retrograde:';

export function recall<T>(name: string, usual: T): T {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? usual : (JSON.parse(text) as T);
  } catch {
    return usual;
  }
}

export function keep(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Full or forbidden.
  }
}
