// The address: the text after # names the game, the screen, the position with its turns, the opponent, and the kind
// and series of a puzzle. Without a game it is the home screen, with the day of its puzzle. A copied address opens the
// same, also below a prefix or from a file.

import type { Seat } from '../api/types';
import { endingOf, type Ending } from '../values/endings';
import { kindOf, type Kind } from '../values/puzzles';
import { inOrder, readTurns, writeTurns, type WrittenTurn } from './written-turns';

/** What a series of puzzles is made of: the day of a puzzle of the day, such as 20261123; the depth of its puzzles; the
 * number and the seed of a set; 1 for the drills that are due. */
export type Series = Partial<Record<(typeof SERIES)[number], number>>;
const SERIES = ['day', 'depth', 'count', 'seed', 'due'] as const;

const OUTCOMES = ['win', 'loss', 'draw'] as const;
/** The outcome of a position that is known. */
export type Decided = (typeof OUTCOMES)[number];

export interface Address {
  game: string | null;
  /** The screen's part of the address; empty for the default screen. */
  screen: string;
  position: string | null;
  toMove: Seat;
  /** The main line, with its variations. */
  turns: WrittenTurn[];
  /** The number of the turn that leads to the shown position, in written order; 0 for the start, null for the end of the
   * main line. */
  at: number | null;
  /** The name of the opponent; null without one. */
  opponent: string | null;
  /** The visitor's side against an opponent. */
  you: Seat;
  /** How the game against the opponent has ended; null if it has not. */
  end: Ending | null;
  /** The kind of a puzzle; null if not given. */
  kind: Kind | null;
  /** The outcome of the sample positions on the screen of numbers, whose turns are the depth of the series; null if not
   * given. */
  outcome: Decided | null;
  /** The text of a board that is being set up; null if it is the position, or the start. */
  board: string | null;
  series: Series;
}

export function readAddress(hash: string): Address {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [name = '', screen = ''] = path.split('/', 2);
  const params = new URLSearchParams(query);
  const turns = readTurns(params.get('turns') ?? '');
  const at = Number.parseInt(params.get('at') ?? '', 10);
  let game = name;
  try {
    game = decodeURIComponent(name);
  } catch {
    // A stray % is part of the name; the server then reports that there is no such game.
  }
  return {
    game: game === '' ? null : game,
    screen,
    position: params.get('position'),
    toMove: params.get('to_move') === 'second' ? 'second' : 'first',
    turns,
    at: Number.isInteger(at) && at >= 0 ? Math.min(at, inOrder(turns).length) : null,
    opponent: params.get('opponent'),
    you: params.get('you') === 'second' ? 'second' : 'first',
    end: endingOf(params.get('end')),
    kind: kindOf(params.get('kind')),
    outcome: OUTCOMES.find((outcome) => outcome === params.get('outcome')) ?? null,
    board: params.get('board'),
    series: Object.fromEntries(
      SERIES.map((name) => [name, Number(params.get(name) ?? NaN)] as const).filter(
        ([, value]) => Number.isSafeInteger(value) && value >= 0,
      ),
    ),
  };
}

/** The part after #. */
export function writeAddress(address: Partial<Address>): string {
  const { game, screen, position, board, toMove, turns = [], at } = address;
  const { opponent, you, end, kind, outcome, series = {} } = address;
  const params: string[] = [];
  // Slashes, colons and commas are allowed in a query, and are easier to read unescaped.
  const add = (name: string, value: string) =>
    params.push(`${name}=${encodeURIComponent(value).replace(/%(2F|3A|2C|3B)/g, decodeURIComponent)}`);
  if (position) add('position', position);
  if (board) add('board', board);
  if (toMove === 'second') add('to_move', 'second');
  if (turns.length > 0) add('turns', writeTurns(turns));
  const last = turns.at(-1);
  const usual = last ? inOrder(turns).indexOf(last) + 1 : 0;
  if (at !== null && at !== undefined && at !== usual) add('at', String(at));
  if (opponent) add('opponent', opponent);
  if (opponent && you === 'second') add('you', 'second');
  if (opponent && end) add('end', end);
  if (kind) add('kind', kind);
  if (outcome) add('outcome', outcome);
  for (const name of SERIES) if (series[name] !== undefined) add(name, String(series[name]));
  const name = encodeURIComponent(game ?? '').replace(/%(3A|2C|3D)/g, decodeURIComponent);
  return `#/${name}${screen ? `/${screen}` : ''}${params.length ? `?${params.join('&')}` : ''}`;
}
