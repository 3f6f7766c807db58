// The drills of this browser, stored between visits.

import { load, save } from '../storage';
import { isSame, type PuzzleName } from '../values/puzzles';
import { cardOf, drillText, readDrills } from './drill-file';
import { afterMiss, afterSolution, dayOf, dueOn, merged, type Card } from './schedule';

const NAME = 'drills';

class Drills {
  cards = $state.raw<Card[]>([]);

  constructor() {
    const kept = load<unknown>(NAME, []);
    // Another version of the page may have stored something else.
    this.cards = Array.isArray(kept) ? kept.map(cardOf).filter((card) => card !== null) : [];
  }

  /** The cards of a game. */
  of(game: string): Card[] {
    return this.cards.filter((card) => card.game === game);
  }

  due(game: string): Card[] {
    return dueOn(this.of(game), dayOf(new Date()));
  }

  miss(puzzle: PuzzleName): void {
    this.keep(afterMiss(this.cards, puzzle, dayOf(new Date())));
  }

  solve(puzzle: PuzzleName): void {
    this.keep(afterSolution(this.cards, puzzle, dayOf(new Date())));
  }

  /** Removes a card, such as one whose game no longer exists. */
  drop(puzzle: PuzzleName): void {
    this.keep(this.cards.filter((card) => !isSame(card, puzzle)));
  }

  text(): string {
    return drillText(this.cards);
  }

  /** Adds the cards of a file; returns their number. */
  read(text: string): number {
    const cards = readDrills(text);
    this.keep(merged(this.cards, cards));
    return cards.length;
  }

  private keep(cards: Card[]): void {
    this.cards = cards;
    save(NAME, cards);
  }
}

export const drills = new Drills();
