// The address: what stands after # names the game, the screen and the position with its turns, so that an address that
// is copied opens the same again, below any prefix and from a file too.

import type { Seat } from '../api/types';

export type Screen = 'play' | 'setup' | 'numbers' | 'puzzles';
const SCREENS: readonly string[] = ['play', 'setup', 'numbers', 'puzzles'];

export interface Place {
  game: string | null;
  screen: Screen;
  position: string | null;
  toMove: Seat;
  turns: string[];
  at: number | null;
}

export function read(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [name = '', screen = 'play'] = path.split('/', 2);
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
    screen: SCREENS.includes(screen) ? (screen as Screen) : 'play',
    position: params.get('position'),
    toMove: params.get('to_move') === 'second' ? 'second' : 'first',
    turns,
    at: Number.isInteger(at) && at >= 0 ? Math.min(at, turns.length) : null,
  };
}

/** The part after # for a place. */
export function write(place: Partial<Place>): string {
  if (!place.game) return '#/';
  const screen = place.screen && place.screen !== 'play' ? `/${place.screen}` : '';
  const params: string[] = [];
  // Slashes, colons and commas may stand in a query as they are, and are easier to read.
  const add = (name: string, value: string) =>
    params.push(`${name}=${encodeURIComponent(value).replace(/%(2F|3A|2C|3B)/g, decodeURIComponent)}`);
  if (place.position) add('position', place.position);
  if (place.toMove === 'second') add('to_move', 'second');
  if (place.turns?.length) add('turns', place.turns.join(';'));
  if (place.turns?.length && place.at !== null && place.at !== undefined && place.at !== place.turns.length)
    add('at', String(place.at));
  const game = encodeURIComponent(place.game).replace(/%(3A|2C|3D)/g, decodeURIComponent);
  return `#/${game}${screen}${params.length ? `?${params.join('&')}` : ''}`;
}

class Route {
  place = $state<Place>(read(location.hash));
  /** The hash that this page itself wrote last: no reason to load anything again. */
  private own = '';

  constructor() {
    addEventListener('hashchange', () => {
      if (location.hash !== this.own) this.place = read(location.hash);
    });
  }

  /** Changes the address of what is shown already. */
  note(place: Partial<Place>): void {
    const hash = write(place);
    if (hash === location.hash) return;
    this.own = hash;
    history.replaceState(null, '', hash);
  }

  /** Goes somewhere else. */
  go(place: Partial<Place>): void {
    this.own = '';
    const hash = write(place);
    if (hash === location.hash) this.place = read(hash);
    else location.hash = hash;
  }
}

export const route = new Route();
