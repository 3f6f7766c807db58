// Games that live in this browser alone: boards that somebody drew (`board:` and the text of the file, so that an
// address holds all of it), and games that have no table on the server and are solved here (`here:` and the name).

const BOARD = 'board:';
const HERE = 'here:';

/** The meaning of a name in an address: a game, and the text of its board if it is on one. */
export interface Guest {
  name: string;
  board: string | null;
}

/** Base 64 with the two signs that addresses leave as they are, and without the sign that fills it up. */
function encoded(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function decoded(code: string): string {
  try {
    const letters = atob(code.replaceAll('-', '+').replaceAll('_', '/'));
    return new TextDecoder().decode(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)));
  } catch {
    // An address that was cut off or mistyped holds no board; the empty one is refused in words.
    return '';
  }
}

/** The name of the game on a board. */
export const boardGame = (text: string): string => BOARD + encoded(text);

/** The name of a game that is solved in this browser. */
export const gameHere = (game: string): string => HERE + game;

/** The game behind a name; null if it is none of this browser's own. */
export function readGuest(game: string): Guest | null {
  // Without a name in the file the command would name the game by its file: this is the page's.
  if (game.startsWith(BOARD))
    return { name: 'pushfight:board.board', board: decoded(game.slice(BOARD.length)) };
  if (game.startsWith(HERE)) return { name: game.slice(HERE.length), board: null };
  return null;
}

/** The text of the board behind a name; null if there is none. */
export const boardOf = (game: string): string | null => readGuest(game)?.board ?? null;

/** The name that a board's text gives to it. */
export function boardName(text: string): string | null {
  const before = text.slice(0, text.search(/^\+/m) >>> 0);
  return /^[ \t]*name[ \t]*=[ \t]*([\w-]+)[ \t]*$/m.exec(before)?.[1] ?? null;
}
