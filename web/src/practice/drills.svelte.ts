// The drills of this browser, stored between visits.

import { load, save } from '../storage';
import { isSame, type PuzzleName } from '../values/puzzles';
import { cardOf, drillText, readDrills } from './drill-file';
import { afterMiss, afterSolution, dayOf, dueOn, merged, type Card } from './schedule';

const NAME = 'drills';

class Drills {
  cards = $state.raw<Card[]>([]);

  constructor() {
    this.cards = this.stored();
    // Another tab has changed them.
    addEventListener('storage', () => (this.cards = this.stored()));
  }

  private stored(): Card[] {
    const kept = load<unknown>(NAME, this.cards);
    // Another version of the page may have stored something else.
    return Array.isArray(kept) ? kept.map(cardOf).filter((card) => card !== null) : [];
  }

  /** The cards of a game. */
  of(game: string): Card[] {
    return this.cards.filter((card) => card.game === game);
  }

  /** The due cards of a game, or of all games. */
  due(game?: string): Card[] {
    return dueOn(game === undefined ? this.cards : this.of(game), dayOf(new Date()));
  }

  miss(puzzle: PuzzleName): void {
    this.change((cards) => afterMiss(cards, puzzle, dayOf(new Date())));
  }

  solve(puzzle: PuzzleName): void {
    this.change((cards) => afterSolution(cards, puzzle, dayOf(new Date())));
  }

  /** Removes a card, such as one whose game no longer exists. */
  drop(puzzle: PuzzleName): void {
    this.change((cards) => cards.filter((card) => !isSame(card, puzzle)));
  }

  text(): string {
    return drillText(this.cards);
  }

  /** Adds the cards of a file; returns their number. */
  read(text: string): number {
    const cards = readDrills(text);
    this.change((ours) => merged(ours, cards));
    return cards.length;
  }

  /** Changes the stored cards, which another tab may have changed, too. */
  private change(changed: (cards: Card[]) => Card[]): void {
    this.cards = changed(this.stored());
    save(NAME, this.cards);
  }
}

export const drills = new Drills();
