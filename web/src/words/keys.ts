// The keyboard shortcuts that the rules list.

export const KEYS: readonly [keys: string[], does: string][] = [
  [['←', '→'], 'back and forward through the game'],
  [['Home', 'End'], 'first and last position'],
  [['u'], 'take back'],
  [['h'], 'hint'],
  [['b'], 'best line'],
  [['v'], 'show or hide values'],
  [['f'], 'flip the board'],
  [['Tab', '↑ ↓ ← →', 'Enter', 'Esc'], 'go to the board, move over squares, choose, take back'],
  [['n'], 'next puzzle'],
  [['?'], 'these rules'],
];
