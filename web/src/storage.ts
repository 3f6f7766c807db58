// Settings and progress that stay in this browser. Storage may be forbidden; then nothing is kept and
// nothing breaks.

const PREFIX = 'retrograde:';

export function load<T>(name: string, usual: T): T {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? usual : (JSON.parse(text) as T);
  } catch {
    return usual;
  }
}

export function save(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Full or forbidden.
  }
}
