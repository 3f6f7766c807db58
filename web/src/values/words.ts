// Values in words. A verdict alone is the side to move's (or the maker's, of a turn); people want to hear who wins.

import type { Count, Outcome, Piece, Seat, Statistics, Verdict } from '../api/types';

export const other = (seat: Seat): Seat => (seat === 'first' ? 'second' : 'first');

/** Red and Blue where pieces have these colours, else first and second player. */
export function playerName(palette: Piece[], seat: Seat): string {
  if (palette.some((piece) => piece.owner === seat)) return seat === 'first' ? 'Red' : 'Blue';
  return seat === 'first' ? 'The first player' : 'The second player';
}

/** A piece in words: "Red pusher with the anchor". */
export function pieceText(palette: Piece[], piece: Piece): string {
  const what = { square: 'pusher', round: 'pawn', pawn: 'pawn', cross: 'filled' }[piece.shape];
  const whose = piece.owner ? `${playerName(palette, piece.owner)} ` : '';
  return `${whose}${what}${piece.anchored ? ' with the anchor' : ''}`;
}

/** The numbers of turns that positions of a game have, ascending. */
export function depthsOf({ win, loss }: Statistics['by_turns']): number[] {
  return [...new Set([...Object.keys(win), ...Object.keys(loss)].map(Number))].sort((a, b) => a - b);
}

/** The name of a game as a part of a file's. */
export const fileName = (game: string): string => game.replaceAll(/[^a-z0-9]+/gi, '-');

export const turnsText = (turns: number): string => (turns === 1 ? '1 turn' : `${turns} turns`);

/** What a verdict means, given who it speaks of. */
export function verdictText(verdict: Verdict, seat: Seat, palette: Piece[]): string {
  const { outcome, turns } = verdict;
  if (outcome === 'unknown') return 'Not known';
  if (outcome === 'draw') return 'A draw with perfect play';
  const winner = playerName(palette, outcome === 'win' ? seat : other(seat));
  if (turns === 0) return `${winner} has won`;
  return turns === null ? `${winner} wins` : `${winner} wins in ${turnsText(turns)}`;
}

/** A verdict as the player sees it who would make a turn. */
export function shortText(verdict: Verdict): string {
  const word = { win: 'wins', loss: 'loses', draw: 'draws', unknown: 'not known' }[verdict.outcome];
  return verdict.turns === null ? word : `${word} in ${verdict.turns}`;
}

/** The few signs that fit on a square: turns to the end, or = or ?. */
export function signText(verdict: Verdict): string {
  if (verdict.outcome === 'draw') return '=';
  if (verdict.outcome === 'unknown') return '?';
  return verdict.turns === null ? { win: '+', loss: '−' }[verdict.outcome] : String(verdict.turns);
}

const RANK: Record<Outcome, number> = { win: 0, draw: 1, unknown: 2, loss: 3 };

/** Below zero if the first is better for the player both speak of: soon won, drawn, not known, late lost. */
export function compare(a: Verdict, b: Verdict): number {
  if (a.outcome !== b.outcome) return RANK[a.outcome] - RANK[b.outcome];
  const turns = (verdict: Verdict) => verdict.turns ?? 1e9;
  return a.outcome === 'loss' ? turns(b) - turns(a) : turns(a) - turns(b);
}

export const better = <V extends Verdict>(a: V, b: V): V => (compare(b, a) < 0 ? b : a);

/** How good a position is for the first player, from −1 to 1: the sooner the end, the nearer the edge. */
export function height(verdict: Verdict, seat: Seat): number | null {
  const { outcome, turns } = verdict;
  if (outcome === 'unknown') return null;
  if (outcome === 'draw') return 0;
  const size = turns === null ? 0.6 : 0.3 + 0.7 * Math.exp(-turns / 16);
  return (outcome === 'win') === (seat === 'first') ? size : -size;
}

/** A number for people: 401,567,166,000. */
export const grouped = (count: Count): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** The family of a game: what its name begins with. */
export const familyOf = (game: string): string => game.split(/[:,]/)[0] ?? game;

/** What a game is called on its card. */
export function titleOf(game: string): string {
  const names: Record<string, string> = { tactics: 'Tactics', touchdown: 'TouchDown', pushfight: 'Push Fight' };
  const family = familyOf(game);
  const rest = game.slice(family.length).replace(/^:/, '');
  return `${names[family] ?? family} ${rest.replace(/(\d+)x(\d+)/, '$1 × $2').replaceAll(',', ', ')}`.trim();
}

export function troubleText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
