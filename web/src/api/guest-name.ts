// Names of games that exist only in this browser: drawn boards (`board:` and the text of the file, so that the address
// contains everything), and games without a table on the server (`here:` and the name).

const BOARD = 'board:';
const HERE = 'here:';

/** A parsed name: the game, and the text of its board if it has one. */
export interface Guest {
  name: string;
  board: string | null;
}

/** URL-safe Base64 without padding. */
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
    // The address was truncated or mistyped: the board is then empty, which the module rejects with a message.
    return '';
  }
}

/** The name of a board's game. */
export const boardGame = (text: string): string => BOARD + encoded(text);

/** The name of a game that is solved in this browser. */
export const gameHere = (game: string): string => HERE + game;

/** Parses a name; null if it is not a game of this browser. */
export function readGuest(game: string): Guest | null {
  // The command line falls back to the file's name; this is the fallback here.
  if (game.startsWith(BOARD))
    return { name: 'pushfight:board.board', board: decoded(game.slice(BOARD.length)) };
  if (game.startsWith(HERE)) return { name: game.slice(HERE.length), board: null };
  return null;
}

/** The text of a name's board; null if there is none. */
export const boardOf = (game: string): string | null => readGuest(game)?.board ?? null;

/** The name of a game on the command line and in records; null for drawn boards, whose files can have any name. */
export function fullName(game: string): string | null {
  const guest = readGuest(game);
  if (!guest) return game;
  return guest.board === null ? guest.name : null;
}

/** The name in a board's text. */
export function boardName(text: string): string | null {
  const before = text.slice(0, text.search(/^\+/m) >>> 0);
  return /^[ \t]*name[ \t]*=[ \t]*([\w-]+)[ \t]*$/m.exec(before)?.[1] ?? null;
}
