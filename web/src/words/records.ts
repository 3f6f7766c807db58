// Games as text (docs/records.md): a header of comments, then one turn per line in board coordinates.

import { fullName } from '../api/guest-name';
import type { Coordinates, PlayedTurn, Seat } from '../api/types';
import type { Place } from '../values/places';
import { playerName } from './players';
import { shortText } from './verdicts';

interface Game {
  start: Place;
  turns: PlayedTurn[];
}

/** Writes a game, with or without marks and comments; `usual` is the start of the game by its rules. */
export function gameText(
  game: string,
  usual: string | null,
  { start, turns }: Game,
  commented = true,
): string {
  const name = fullName(game);
  const lines = [...(name === null ? [] : [`# ${name}`]), '# coordinates: board'];
  if (usual !== null && start.position !== usual) lines.push(`# from ${start.position}`);
  if (start.toMove === 'second') lines.push('# to move: blue');
  for (const turn of turns) {
    if (!commented) {
      lines.push(turn.turn_on_board);
      continue;
    }
    const said = turn.comment || `${playerName(turn.player)} ${shortText(turn.after)}`;
    lines.push(`${turn.turn_on_board}${turn.mark}  # ${said}`);
  }
  return `${lines.join('\n')}\n`;
}

export interface ReadGame {
  /** The game that the text names; null for the one that is open. */
  game: string | null;
  coordinates: Coordinates;
  /** Null for the start of the game by its rules. */
  position: string | null;
  toMove: Seat;
  turns: string[];
}

/** The turns in a text, without comments, tags, numbers and marks. */
export function turnsIn(text: string): string[] {
  return text
    .replace(/^\ufeff/, '')
    .replace(/[#;][^\r\n]*|\{[^}]*(\}|$)/g, '')
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => !/^\[.*"\]$/.test(line))
    .map((line) =>
      line
        .replace(/^\d+[.…]+\s*/, '')
        .replace(/[!?]+\s*$/, '')
        .trim(),
    )
    .filter((line) => line !== '');
}

/** Reads a record, with defaults for what it leaves out. */
export function readGame(text: string): ReadGame {
  const head = text
    .replace(/^\ufeff/, '')
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const firstTurn = head.findIndex((line) => !line.startsWith('#'));
  const notes = head.slice(0, firstTurn < 0 ? undefined : firstTurn).map((line) => line.slice(1).trim());
  // "1... d4d3": the second player makes the first turn.
  const continued = /^\d+(\.\.\.|…)/.test(head[firstTurn] ?? '');
  const said = (name: RegExp) => notes.flatMap((note) => name.exec(note)?.[1] ?? [])[0];
  const named = said(/^coordinates:\s*(board|mover)$/i)?.toLowerCase();
  return {
    // The variant distinguishes a canonical name, such as "touchdown:4x4", from a comment.
    game: /^[a-z]\w*[:,]\S+$/.test(notes[0] ?? '') ? (notes[0] ?? null) : null,
    coordinates: named === 'board' || named === 'mover' ? named : 'either',
    position: said(/^from\s+(.+)$/i) ?? null,
    toMove: continued || /^(blue|second)$/i.test(said(/^to move:\s*(\S+)$/i) ?? '') ? 'second' : 'first',
    turns: turnsIn(text),
  };
}
