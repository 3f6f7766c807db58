// The opponents that one can play against, from one who has just heard the rules to one who never errs.

export interface Opponent {
  /** The part of the address. */
  id: string;
  name: string;
  /** Turns of both players that he looks ahead; null: to the end. */
  horizon: number | null;
  /** The chance that a turn of his is drawn at random from all turns. */
  errs: number;
  /** Among equal turns he prefers those that leave the other player the fewest good replies. */
  setsTraps: boolean;
  /** The opponent, in a few words after the name. */
  about: string;
}

export const OPPONENTS: readonly Opponent[] = [
  {
    id: 'pip',
    name: 'Pip',
    horizon: 0,
    errs: 1,
    setsTraps: false,
    about: 'has just heard the rules and makes any turn.',
  },
  {
    id: 'mila',
    name: 'Mila',
    horizon: 1,
    errs: 0.25,
    setsTraps: false,
    about: 'takes a win that is there, and sees no danger coming.',
  },
  {
    id: 'otto',
    name: 'Otto',
    horizon: 3,
    errs: 0.15,
    setsTraps: false,
    about: 'answers threats, unless he is dreaming.',
  },
  {
    id: 'nora',
    name: 'Nora',
    horizon: 5,
    errs: 0.08,
    setsTraps: false,
    about: 'plans a little ahead and seldom slips.',
  },
  {
    id: 'viktor',
    name: 'Viktor',
    horizon: 9,
    errs: 0.03,
    setsTraps: true,
    about: 'sees far, and sets traps where he cannot win.',
  },
  {
    id: 'iris',
    name: 'Iris',
    horizon: null,
    errs: 0,
    setsTraps: true,
    about: 'plays perfectly: every turn is a best one.',
  },
];

export const opponentNamed = (id: string | null): Opponent | null =>
  OPPONENTS.find((opponent) => opponent.id === id) ?? null;

/** How strong an opponent is, in words that can be checked. */
export function strengthText({ horizon, errs }: Opponent): string {
  if (errs === 1) return 'Every turn is drawn at random.';
  const sees =
    horizon === null ? 'Sees to the end' : `Looks ${horizon} ${horizon === 1 ? 'turn' : 'turns'} ahead`;
  return errs === 0 ? `${sees}, never errs.` : `${sees}, ${Math.round(errs * 100)}% of turns are random.`;
}
