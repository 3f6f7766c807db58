// A game as text, one turn a line, as `retrograde annotate` reads it.

import type { PlayedTurn } from '../api/types';
import { shortText } from './verdicts';

interface Game {
  start: { position: string };
  turns: PlayedTurn[];
}

/** Writes a game; `usual` is the position in which the game begins by its rules. */
export function gameText(game: string, usual: string | null, { start, turns }: Game): string {
  const lines = [`# ${game}`];
  if (usual !== null && start.position !== usual) lines.push(`# from ${start.position}`);
  for (const turn of turns) {
    const mark = turn.mark ? ` ${turn.mark}` : '';
    const better = turn.better ? `, better: ${turn.better}` : '';
    lines.push(`${turn.turn}  # ${turn.player} ${shortText(turn.after)}${mark}${better}`);
  }
  return `${lines.join('\n')}\n`;
}

/** The turns in a text, without numbers, marks and comments. */
export function turnsIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => (line.split('#')[0] ?? '').replace(/^\s*\d+\.\s*/, ''))
    .map((line) => line.replace(/[!?]+\s*$/, '').trim())
    .filter((line) => line !== '');
}
