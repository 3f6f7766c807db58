// The address: the text after # names the game, the screen and the position with its turns, so that an
// address that is copied opens the same again, below any prefix and from a file too.

import type { Seat } from '../api/types';
import { kindOf, type Kind } from '../values/puzzles';

export interface Address {
  game: string | null;
  /** The screen's part of the address; empty for the usual one. */
  screen: string;
  position: string | null;
  toMove: Seat;
  turns: string[];
  /** How many of the turns are made in the position that is shown; null: all. */
  at: number | null;
  /** The kind of a puzzle; null: none is named. */
  kind: Kind | null;
}

export function readAddress(hash: string): Address {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [name = '', screen = ''] = path.split('/', 2);
  const params = new URLSearchParams(query);
  const turns = (params.get('turns') ?? '').split(';').filter((turn) => turn !== '');
  const at = Number.parseInt(params.get('at') ?? '', 10);
  let game = name;
  try {
    game = decodeURIComponent(name);
  } catch {
    // A stray % is part of the name; the server will say that there is no such game.
  }
  return {
    game: game === '' ? null : game,
    screen,
    position: params.get('position'),
    toMove: params.get('to_move') === 'second' ? 'second' : 'first',
    turns,
    at: Number.isInteger(at) && at >= 0 ? Math.min(at, turns.length) : null,
    kind: kindOf(params.get('kind')),
  };
}

/** The part after #. */
export function writeAddress({ game, screen, position, toMove, turns, at, kind }: Partial<Address>): string {
  if (!game) return '#/';
  const params: string[] = [];
  // Slashes, colons and commas may stand in a query as they are, and are easier to read.
  const add = (name: string, value: string) =>
    params.push(`${name}=${encodeURIComponent(value).replace(/%(2F|3A|2C|3B)/g, decodeURIComponent)}`);
  if (position) add('position', position);
  if (toMove === 'second') add('to_move', 'second');
  if (kind) add('kind', kind);
  if (turns?.length) {
    add('turns', turns.join(';'));
    if (at !== null && at !== undefined && at !== turns.length) add('at', String(at));
  }
  const name = encodeURIComponent(game).replace(/%(3A|2C|3D)/g, decodeURIComponent);
  return `#/${name}${screen ? `/${screen}` : ''}${params.length ? `?${params.join('&')}` : ''}`;
}
