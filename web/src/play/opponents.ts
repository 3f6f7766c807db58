// The opponents, from a beginner to a perfect player.

export interface Opponent {
  /** The name in addresses. */
  id: string;
  name: string;
  /** How many turns of both players the opponent looks ahead; null for all. */
  horizon: number | null;
  /** The probability that the opponent plays a random turn. */
  errs: number;
  /** Whether the opponent prefers, of equal turns, those that leave the fewest good replies. */
  setsTraps: boolean;
  /** A description that follows the name. */
  about: string;
}

export const OPPONENTS: readonly Opponent[] = [
  {
    id: 'pip',
    name: 'Pip',
    horizon: 0,
    errs: 1,
    setsTraps: false,
    about: 'has just learned the rules and plays at random.',
  },
  {
    id: 'mila',
    name: 'Mila',
    horizon: 1,
    errs: 0.25,
    setsTraps: false,
    about: 'takes immediate wins, but sees no danger coming.',
  },
  {
    id: 'otto',
    name: 'Otto',
    horizon: 3,
    errs: 0.15,
    setsTraps: false,
    about: 'answers threats, unless distracted.',
  },
  {
    id: 'nora',
    name: 'Nora',
    horizon: 5,
    errs: 0.08,
    setsTraps: false,
    about: 'plans a little ahead and rarely slips.',
  },
  {
    id: 'viktor',
    name: 'Viktor',
    horizon: 9,
    errs: 0.03,
    setsTraps: true,
    about: 'looks far ahead, and sets traps when there is no win.',
  },
  {
    id: 'iris',
    name: 'Iris',
    horizon: null,
    errs: 0,
    setsTraps: true,
    about: 'plays perfectly.',
  },
];

export const opponentNamed = (id: string | null): Opponent | null =>
  OPPONENTS.find((opponent) => opponent.id === id) ?? null;

/** The exact strength of an opponent, in words. */
export function strengthText({ horizon, errs }: Opponent): string {
  if (errs === 1) return 'Every turn is random.';
  const sees =
    horizon === null
      ? 'Sees to the end of the game'
      : `Looks ${horizon} ${horizon === 1 ? 'turn' : 'turns'} ahead`;
  return errs === 0
    ? `${sees} and makes no mistakes.`
    : `${sees}; ${Math.round(errs * 100)}% of turns are random.`;
}
