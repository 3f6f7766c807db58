// Settings and progress in this browser's storage. If storage is forbidden, nothing is saved and nothing breaks.

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
    // Storage is full or forbidden.
  }
}
