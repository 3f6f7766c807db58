// From squares that are touched to turns: which squares may be touched next, and what each is worth at best. Which
// turns there are comes from the rules, by way of `steps`; here are only the squares that their texts name.

import type { StepValue, Verdict, View } from '../api/types';
import { better, compare } from '../values/words';

export interface Option {
  /** The squares to touch, in order. */
  squares: string[];
  /** Whether the order may be the other way round, as for the two ends of a line that is filled. */
  either: boolean;
  step: StepValue;
}

/** What touching a square leads to at best. */
export interface Candidate extends Verdict {
  square: string;
  /** Whether a turn may be whole with it. */
  ends: boolean;
}

export const squaresIn = (text: string): string[] => text.match(/[a-z]+\d+/g) ?? [];

export const isPlacement = (step: StepValue): boolean => /^[A-Za-z]:/.test(step.step);

export function optionsOf(steps: StepValue[], view: View): Option[] {
  const empty = new Set(view.squares.filter((square) => square && !square.piece).map((square) => square!.name));
  return steps.map((step) => {
    // Where a step is the whole turn, its maker may see the board turned; what is touched is in the first player's
    // coordinates. Games whose turns have several steps do not turn the board.
    const squares = squaresIn(step.turn === step.step ? step.turn_on_board : step.step);
    return { squares, either: squares.length === 2 && empty.has(squares[0]!) && empty.has(squares[1]!), step };
  });
}

/** The orders in which the squares of an option may be touched. */
const orders = (option: Option): string[][] =>
  option.either ? [option.squares, option.squares.toReversed()] : [option.squares];

const begins = (order: string[], picked: string[]): boolean =>
  picked.length <= order.length && picked.every((square, at) => order[at] === square);

/** The squares that may be touched after some were. A square of its own may be touched again to have it alone. */
export function candidates(options: Option[], picked: string[]): Map<string, Candidate> {
  const best = new Map<string, Candidate>();
  for (const option of options) {
    for (const order of orders(option)) {
      if (!begins(order, picked)) continue;
      const square = order[picked.length] ?? order.at(-1)!;
      const { outcome, turns, ends } = option.step;
      const last = order.length <= picked.length + 1;
      const candidate = { square, outcome, turns, ends: ends && last };
      const known = best.get(square);
      best.set(square, known ? { ...better(known, candidate), ends: known.ends || candidate.ends } : candidate);
    }
  }
  return best;
}

/** The option that is chosen once exactly these squares were touched. */
export function chosen(options: Option[], picked: string[]): { option: Option | null; open: boolean } {
  let option: Option | null = null;
  let open = false;
  for (const candidate of options) {
    for (const order of orders(candidate)) {
      if (!begins(order, picked)) continue;
      if (order.length > picked.length) open = true;
      else if (!option || compare(candidate.step, option.step) < 0) option = candidate;
    }
  }
  return { option, open };
}

/** A placement taken apart: the squares of each kind of piece, pushers first. */
export interface Placing {
  kinds: { letter: string; squares: string[] }[];
  step: StepValue;
}

export function placingOf(step: StepValue): Placing {
  const groups = step.turn_on_board.split(' ').map((group) => {
    const [letter = '', squares = ''] = group.split(':');
    return { letter, squares: squares.split(',') };
  });
  return { kinds: groups.filter((group) => group.letter !== ''), step };
}

/** What is left to be placed: of which kind, where, and with what at best. */
export function placeable(all: Placing[], placed: string[][]): { kind: number; best: Map<string, Candidate>; whole: Placing | null } {
  const fits = all.filter((placing) =>
    placed.every((squares, kind) => squares.every((square) => placing.kinds[kind]?.squares.includes(square))),
  );
  const sizes = fits[0]?.kinds.map((kind) => kind.squares.length) ?? [];
  const kind = sizes.findIndex((size, number) => (placed[number]?.length ?? 0) < size);
  const best = new Map<string, Candidate>();
  if (kind < 0) return { kind, best, whole: fits[0] ?? null };
  for (const placing of fits) {
    for (const square of placing.kinds[kind]!.squares) {
      if (placed[kind]?.includes(square)) continue;
      const { outcome, turns } = placing.step;
      const candidate = { square, outcome, turns, ends: false };
      const known = best.get(square);
      best.set(square, known ? better(known, candidate) : candidate);
    }
  }
  return { kind, best, whole: null };
}
