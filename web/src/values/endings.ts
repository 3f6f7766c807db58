// How a game against an opponent ends: by the rules, by resigning, or by agreeing to a draw.

const ENDINGS = ['over', 'resigned', 'draw'] as const;

export type Ending = (typeof ENDINGS)[number];

export const endingOf = (text: string | null): Ending | null => ENDINGS.find((end) => end === text) ?? null;
