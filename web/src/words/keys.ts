// The keyboard shortcuts that the rules list.

export const KEYS: readonly [keys: string[], does: string][] = [
  [['←', '→'], 'back and forward through the game'],
  [['Home', 'End'], 'first and last position'],
  [['u'], 'take back'],
  [['h'], 'show a hint'],
  [['b'], 'play the best line'],
  [['v'], 'show or hide values'],
  [['f'], 'flip the board'],
  [['Tab'], 'go to the board, then to the lists'],
  [['↑', '↓', '←', '→'], 'on the board: go to the next square'],
  [['Enter'], 'on the board: choose a square'],
  [['Esc'], 'on the board: take back'],
  [['↑', '↓', '←', '→'], 'in the list of turns: go to another turn'],
  [['↑', '↓'], 'in the game so far: show another position'],
  [['n'], 'new game, or next puzzle'],
  [['?'], 'show or hide these rules'],
];
