// The turns of a position while their values are on the way: what the rules tell of them, and the value of the turn that
// somebody points at, which is asked for before those of the others.

import { api } from '../api/api';
import type { Seat, TurnValue } from '../api/types';

/** A position, as a question names it. */
interface Named {
  position: string;
  to_move: Seat;
}

export class ComingTurns {
  /** The turns by their texts; null where none are listed. */
  turns = $state.raw<TurnValue[] | null>(null);
  private readonly game: string;
  private named: Named | null = null;
  /** The turns that were asked for. */
  private asked: string[] = [];

  constructor(game: string) {
    this.game = game;
  }

  clear(): void {
    this.turns = null;
    this.asked = [];
  }

  /** Lists turns of a position. */
  list({ position, to_move }: Named, turns: TurnValue[]): void {
    this.clear();
    this.named = { position, to_move };
    this.turns = turns.toSorted((a, b) => (a.turn_on_board < b.turn_on_board ? -1 : 1));
  }

  /** Asks for the value of a turn that somebody points at. */
  async look({ turn, position }: TurnValue): Promise<void> {
    const { asked, named } = this;
    if (!named || !this.turns || asked.includes(turn)) return;
    asked.push(turn);
    try {
      const { turns_available } = await api.probe(this.game, { ...named, moves: turn });
      const known = turns_available.find((found) => found.position === position);
      // The list may be another one by now.
      if (!known || asked !== this.asked || !this.turns) return;
      const { outcome, turns } = known;
      this.turns = this.turns.map((other) => (other.turn === turn ? { ...other, outcome, turns } : other));
    } catch {
      // It comes with the others.
      asked.splice(asked.indexOf(turn), 1);
    }
  }
}
