// A tree of turns as text, for the address: turns with semicolons between them, and after a turn, in
// parentheses, lines that begin with another turn instead: "a1a2(b1b2;c1c2);d1d2". Turns are numbered in
// the order in which they are written, from 1.

export interface WrittenTurn {
  turn: string;
  /** Lines that begin with another turn in its place. */
  others: WrittenTurn[][];
}

export function writeTurns(line: WrittenTurn[]): string {
  return line
    .map(({ turn, others }) => turn + others.map((other) => `(${writeTurns(other)})`).join(''))
    .join(';');
}

/** Reads what can be read: a parenthesis too many or too few is passed over. */
export function readTurns(text: string): WrittenTurn[] {
  const main: WrittenTurn[] = [];
  /** The lines that are open, the innermost last. */
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
      line.push({ turn: token, others: [] });
    }
  }
  return main;
}

/** All turns in the order in which they are written. */
export const inOrder = (line: WrittenTurn[]): WrittenTurn[] =>
  line.flatMap((written) => [written, ...written.others.flatMap(inOrder)]);
