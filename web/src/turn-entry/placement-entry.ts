// The placement of pieces before the game proper: kind by kind, each on a square that some complete placement allows.

import type { PiecesToPlace, StepValue, View } from '../api/types';
import {
  addCandidate,
  copyOf,
  type Candidate,
  type TakenBack,
  type Touched,
  type TurnEntry,
} from './turn-entry';

/** A complete placement: the squares of each kind of piece. */
interface Placement {
  squares: string[][];
  step: StepValue;
}

function placementOf(kinds: PiecesToPlace[], step: StepValue): Placement {
  let from = 0;
  const squares = kinds.map(({ count }) => step.squares.slice(from, (from += count)));
  return { squares, step };
}

export class PlacementEntry implements TurnEntry {
  readonly begun = [];
  readonly picked = [];
  private readonly kinds: PiecesToPlace[];
  private readonly placements: Placement[];
  /** The chosen squares of each kind. */
  private readonly placed: string[][];
  /** The kind to place next; null if all pieces are placed. */
  private readonly next: number | null;

  private constructor(kinds: PiecesToPlace[], placements: Placement[], placed: string[][]) {
    this.kinds = kinds;
    this.placements = placements;
    this.placed = placed;
    const next = kinds.findIndex(({ count }, kind) => (placed[kind]?.length ?? 0) < count);
    this.next = next < 0 ? null : next;
  }

  static begin(kinds: PiecesToPlace[], steps: StepValue[]): PlacementEntry {
    const placements = steps.map((step) => placementOf(kinds, step));
    return new PlacementEntry(
      kinds,
      placements,
      kinds.map(() => []),
    );
  }

  candidates(): Map<string, Candidate> {
    const best = new Map<string, Candidate>();
    if (this.next === null) return best;
    for (const { squares, step } of this.fitting()) {
      for (const square of squares[this.next] ?? []) {
        if (!this.placed[this.next]?.includes(square)) addCandidate(best, square, step);
      }
    }
    return best;
  }

  squareless(): StepValue[] {
    return [];
  }

  advice(): string {
    const kind = this.next === null ? undefined : this.kinds[this.next];
    if (!kind || this.next === null) return '';
    const count = kind.count - (this.placed[this.next]?.length ?? 0);
    return `Place ${count} ${kind.piece.name}${count === 1 ? '' : 's'}: choose a square.`;
  }

  positionsLeft(): Set<string> | null {
    if (this.placed.every((squares) => squares.length === 0)) return null;
    return new Set(this.fitting().map(({ step }) => step.position));
  }

  board(view: View): View {
    if (this.placed.every((squares) => squares.length === 0)) return view;
    const { view: copy, square } = copyOf(view);
    this.placed.forEach((names, kind) => {
      for (const found of names.map(square)) {
        if (found) found.piece = this.kinds[kind]?.piece ?? null;
      }
    });
    return copy;
  }

  touch(square: string): Touched {
    if (this.placed.some((squares) => squares.includes(square))) {
      const without = this.placed.map((squares) => squares.filter((name) => name !== square));
      return { entry: this.with(without), step: null };
    }
    if (!this.candidates().has(square)) return { entry: this, step: null };
    const entry = this.with(
      this.placed.map((squares, kind) => (kind === this.next ? [...squares, square] : squares)),
    );
    return { entry, step: entry.next === null ? (entry.fitting()[0]?.step ?? null) : null };
  }

  refuses(square: string): boolean {
    return !this.candidates().has(square) && !this.placed.some((squares) => squares.includes(square));
  }

  takeBack(): TakenBack | null {
    const last = this.placed.findLastIndex((squares) => squares.length > 0);
    if (last < 0) return null;
    return {
      entry: this.with(this.placed.map((squares, kind) => (kind === last ? squares.slice(0, -1) : squares))),
    };
  }

  cleared(): PlacementEntry {
    return this.with(this.kinds.map(() => []));
  }

  private with(placed: string[][]): PlacementEntry {
    return new PlacementEntry(this.kinds, this.placements, placed);
  }

  /** The placements that contain all pieces placed so far. */
  private fitting(): Placement[] {
    return this.placements.filter(({ squares }) =>
      this.placed.every((placed, kind) => placed.every((square) => squares[kind]?.includes(square))),
    );
  }
}
