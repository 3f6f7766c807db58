// Small sample boards, each with a different feature.

export const SAMPLES: readonly { title: string; text: string }[] = [
  {
    title: 'Small',
    text: `name = small
pushers = 1
pawns = 1
moves = 2
+-+-+-+-+-+
 . . . . .
+ + + + + +
 . . . . .
+ + + + + +
 . . . . .
+-+-+-+-+-+
`,
  },
  {
    title: 'Ring',
    text: `name = ring
pushers = 1
pawns = 2
moves = 1
+-+-+-+-+-+
 . . . . .
+ + + + + +
 . . # . .
+ + + + + +
 . . . . .
+-+-+-+-+-+
`,
  },
  {
    title: 'Mini',
    text: `name = mini
pushers = 2
pawns = 2
moves = 2
+ +-+-+-+-+ +
 # . . . . #
+ + + + + + +
 . . . . . .
+ + + + + + +
 # . . . . #
+ +-+-+-+-+ +
`,
  },
  {
    title: 'Duel',
    text: `name = duel
moves = 2
+-+-+-+-+-+
 . O . X .
+ + + + + +
 o O . Y x
+ + + + + +
 . . . . .
+-+-+-+-+-+
`,
  },
];
