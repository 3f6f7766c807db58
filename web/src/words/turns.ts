// Turns in words.

import type { PlayedTurn, Seat, Verdict } from '../api/types';
import { opponentOf } from '../values/verdicts';
import { playerName } from './players';

/** The text of a turn that changes nothing but the side to move. */
export const PASS = 'pass';

/** The pieces that a placement writes with one letter. */
const PLACED: Record<string, string> = { O: 'pusher', o: 'pawn', X: 'pusher', x: 'pawn' };

/** One part of a placement: "pushers b2 c1" for "O:b2,c1". */
function placedWords(part: string): string {
  const [letter = '', squares = ''] = part.split(':');
  const many = squares.includes(',') ? 's' : '';
  const piece = PLACED[letter];
  return `${piece === undefined ? letter : piece + many} ${squares.replaceAll(',', ' ')}`;
}

/** The parts of a turn, with the last one named if turns have parts of several kinds: "d1-a2", "push c2-c3". */
export function turnWords(turn: string, parts: string[]): string[] {
  if (turn.includes(':')) return turn.split(' ').map(placedWords);
  const last = parts.at(-1);
  const named = new Set(parts).size > 1 && last !== undefined;
  const steps = turn.split(',');
  return steps.map((step, at) => (named && at === steps.length - 1 ? `${last.toLowerCase()} ${step}` : step));
}

/** A turn as one text: "d1-a2, push c2-c3"; a placement: "pushers b2 c1, pawns c3 c2"; "a pass". */
export const turnText = (turn: string, parts: string[]): string =>
  turn === PASS ? 'a pass' : turnWords(turn, parts).join(', ');

/** What a player did, or could do: "Red played b1b2", "Red could pass". */
export function playedText(turn: string, seat: Seat, could = false): string {
  const verb = could ? (turn === PASS ? 'could pass' : 'could play') : turn === PASS ? 'passed' : 'played';
  return `${playerName(seat)} ${verb}${turn === PASS ? '' : ` ${listedTurn(turn)}`}`;
}

/** A turn in its notation, but a placement in words. */
export const listedTurn = (turn: string): string => (turn.includes(':') ? turnText(turn, []) : turn);

/** The comment on a turn. The backend writes the better turn, which begins the last sentence, in notation. */
export function commentText({ comment, better_on_board: better }: PlayedTurn, parts: string[]): string {
  if (better === null) return comment;
  const words = turnText(better, parts);
  // A word gets a capital there, a square does not.
  const first = words !== better && /^[a-z]+ /.test(words) ? words.charAt(0).toUpperCase() : words.charAt(0);
  return comment.replace(`. ${better} `, () => `. ${first}${words.slice(1)} `);
}

/** The value of a turn in a few words: "Red wins in 3". */
export function resultText({ outcome, turns }: Verdict, maker: Seat): string {
  if (outcome === 'unknown') return 'unknown';
  if (outcome === 'draw') return 'draw';
  const winner = playerName(outcome === 'win' ? maker : opponentOf(maker));
  return turns === null ? `${winner} wins` : `${winner} wins in ${turns}`;
}
