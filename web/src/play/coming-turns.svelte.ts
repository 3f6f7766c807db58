// The turns of a position while their values load: as the rules list them, with the value of the turn under the pointer,
// which is requested first.

import { api } from '../api/api';
import type { Seat, TurnValue } from '../api/types';

/** A position in a request. */
interface Named {
  position: string;
  to_move: Seat;
}

export class ComingTurns {
  /** The turns by their texts; null if there is no list. */
  turns = $state.raw<TurnValue[] | null>(null);
  private readonly game: string;
  private named: Named | null = null;
  /** The turns whose values were requested. */
  private asked: string[] = [];

  constructor(game: string) {
    this.game = game;
  }

  clear(): void {
    this.turns = null;
    this.asked = [];
  }

  /** Lists the turns of a position. */
  list({ position, to_move }: Named, turns: TurnValue[]): void {
    this.clear();
    this.named = { position, to_move };
    this.turns = turns.toSorted((a, b) => (a.turn_on_board < b.turn_on_board ? -1 : 1));
  }

  /** Requests the value of the turn under the pointer. */
  async look({ turn, position }: TurnValue): Promise<void> {
    const { asked, named } = this;
    if (!named || !this.turns || asked.includes(turn)) return;
    asked.push(turn);
    try {
      const { turns_available } = await api.probe(this.game, { ...named, moves: turn });
      const known = turns_available.find((found) => found.position === position);
      // The list may have changed in the meantime.
      if (!known || asked !== this.asked || !this.turns) return;
      const { outcome, turns } = known;
      this.turns = this.turns.map((other) => (other.turn === turn ? { ...other, outcome, turns } : other));
    } catch {
      // The value arrives with the others.
      asked.splice(asked.indexOf(turn), 1);
    }
  }
}
