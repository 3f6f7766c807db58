// A tree of turns as text for the address: turns separated by semicolons. Parentheses after a turn contain lines that
// replace it: "a1a2(b1b2;c1c2);d1d2". A tilde marks turns that were shown, not played: "a1a2;~b1b2". Turns are
// numbered from 1 in written order.

export interface WrittenTurn {
  turn: string;
  /** Whether the page showed this turn, and it was not played. */
  demo: boolean;
  /** Lines that replace this turn. */
  others: WrittenTurn[][];
}

const DEMO = '~';

export function writeTurns(line: WrittenTurn[]): string {
  return line
    .map(
      ({ turn, demo, others }) =>
        (demo ? DEMO : '') + turn + others.map((other) => `(${writeTurns(other)})`).join(''),
    )
    .join(';');
}

/** Parses turns leniently: unbalanced parentheses are ignored. */
export function readTurns(text: string): WrittenTurn[] {
  const main: WrittenTurn[] = [];
  /** The open lines, the innermost last. */
  const open: WrittenTurn[][] = [main];
  for (const token of text.match(/[();]|[^();]+/g) ?? []) {
    const line = open.at(-1) ?? main;
    const last = line.at(-1);
    if (token === '(' && last) {
      const other: WrittenTurn[] = [];
      last.others.push(other);
      open.push(other);
    } else if (token === ')') {
      if (open.length > 1) open.pop();
    } else if (!'(;'.includes(token)) {
      const demo = token.startsWith(DEMO);
      line.push({ turn: demo ? token.slice(DEMO.length) : token, demo, others: [] });
    }
  }
  return main;
}

/** All turns in written order. */
export const inOrder = (line: WrittenTurn[]): WrittenTurn[] =>
  line.flatMap((written) => [written, ...written.others.flatMap(inOrder)]);
