// The guide shows a hint, a best line turn by turn, a better turn, or the refutation of a mistake.

import type { Mark } from '../api/types';
import { ROOT } from './tree';
import type { Session } from './session.svelte';
import { samePlace, type Place } from '../values/places';
import { turnText } from '../words/turns';

/** How long a turn of a line is shown, in milliseconds. */
const SHOWN = 900;

/** Turns of the best line that follow an explained turn. */
const EXPLAINED = 5;

const wait = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

export class Guide {
  private readonly session: Session;
  /** Called before a variation is shown. */
  private readonly onvariation: () => void;
  /** The last hint: the position, what to mark, and the turn in words. */
  private given = $state.raw<{ here: Place; marks: Mark[]; text: string } | null>(null);
  /** The best line that is being shown, an object of its own; null if there is none. */
  private walk = $state.raw<object | null>(null);

  constructor(session: Session, onvariation: () => void) {
    this.session = session;
    this.onvariation = onvariation;
  }

  /** Whether a best line is being shown. */
  get running(): boolean {
    return this.walk !== null;
  }

  stop(): void {
    this.walk = null;
    this.given = null;
  }

  /** The marks of the hint; empty without one. */
  get hint(): Mark[] {
    return this.fitting?.marks ?? [];
  }

  /** The turn of the hint, in words; empty without one. */
  get hintText(): string {
    return this.fitting?.text ?? '';
  }

  /** The hint if it is for the shown position. */
  private get fitting() {
    const { given, session } = this;
    return given && samePlace(given.here, session.here) ? given : null;
  }

  /** Why there is no hint; empty if there is one. */
  get hintOff(): string {
    const { probe, over } = this.session;
    if (over) return 'The game is over.';
    const best = probe?.turns_available[0];
    return best?.outcome === 'unknown' ? 'No turn is known to be better than the others here.' : '';
  }

  /** Why there is no best line; empty if there is one. */
  get lineOff(): string {
    const { probe, over } = this.session;
    if (over) return 'The game is over.';
    return probe?.outcome === 'unknown'
      ? 'The value of this position is not known, so there is no best line.'
      : '';
  }

  /** Whether the values of the position are loaded; if not, tells the player. */
  private known(): boolean {
    const { probe } = this.session;
    if (!probe) this.session.refuse('The turns are still being evaluated.');
    return probe !== null;
  }

  /** Marks a best turn, or the best continuation of a turn in progress. */
  async showHint(): Promise<void> {
    if (this.hintOff || !this.known()) return;
    const { session } = this;
    const best = session.turns?.[0];
    if (!best) return;
    session.refuse('');
    const text = `Hint: ${turnText(best.turn_on_board, session.parts)}.`;
    const given = { here: session.here, marks: [], text };
    this.given = given;
    await session.preview(best);
    if (this.fitting !== given) return;
    this.given = { ...given, marks: session.marks };
    session.marks = [];
  }

  /** Adds a best line and plays through it. */
  async showBest(): Promise<void> {
    if (this.lineOff || !this.known()) return;
    this.stop();
    const walk = {};
    this.walk = walk;
    const { at } = this.session.record;
    const count = await this.session.addBestLine();
    for (let to = at + 1; to <= at + count && this.walk === walk && this.session.error === ''; to++) {
      await this.session.show(to);
      do await wait(SHOWN);
      while (this.session.moving);
    }
    if (this.walk === walk) this.walk = null;
  }

  /** Shows, as a variation, the turn that was better than a node's, and a best line after it. */
  async showBetter(id: number): Promise<void> {
    const { record } = this.session;
    const { parent, made } = record.node(id);
    if (!made?.better) return;
    this.stop();
    this.onvariation();
    await this.session.change(record.visit(parent ?? ROOT));
    const { at } = this.session.record;
    if ((await this.session.addBestLine([made.better], EXPLAINED)) > 0) await this.session.show(at + 1);
  }

  /** Shows, as a variation, the reply that refutes a node's turn, and a best line after it. */
  async refute(id: number): Promise<void> {
    this.stop();
    this.onvariation();
    await this.session.change(this.session.record.visit(id));
    const { at } = this.session.record;
    if ((await this.session.addBestLine([], EXPLAINED)) > 0) await this.session.show(at + 1);
  }
}
