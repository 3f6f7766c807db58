// The keys of the page, as the rules list them.

export const KEYS: readonly [keys: string[], does: string][] = [
  [['←', '→'], 'back and forward through the game'],
  [['Home', 'End'], 'to its first and last position'],
  [['u'], 'take back'],
  [['h'], 'hint'],
  [['b'], 'best line'],
  [['v'], 'values on the squares, on or off'],
  [['f'], 'flip the board'],
  [['Tab', '↑ ↓ ← →', 'Enter', 'Esc'], 'to the board, over its squares, choose, take back'],
  [['n'], 'next puzzle, among the puzzles'],
  [['?'], 'these rules'],
];
