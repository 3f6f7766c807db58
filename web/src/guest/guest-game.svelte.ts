// A game that is solved in this browser. Its worker keeps the values, so reopening a recent game is immediate.

import { ApiError, problemOf } from '../api/backend';
import type { Guest } from '../api/guest-name';
import type { GuestDescription, GuestRefusal, Question } from '../api/rules-module';
import type { Stage } from './protocol';
import { WorkerLink, type Workshop } from './worker-link';

/** Solves that take at most this many seconds start automatically. */
const QUICK = 8;

/** `opening`: not known yet; `failed`: the solver could not be loaded; `refused`: there is no such game; `unsolved`: values
 * come from short searches. */
export type Phase = 'opening' | 'failed' | 'refused' | 'unsolved' | 'solving' | 'solved';

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export class GuestGame {
  phase = $state<Phase>('opening');
  description = $state.raw<GuestDescription | null>(null);
  /** Why there is no such game. */
  refused = $state.raw<GuestRefusal | null>(null);
  /** The progress of the solve. */
  stage = $state.raw<Stage | null>(null);
  /** The duration of the solve in seconds. */
  seconds = $state<number | null>(null);
  /** Why loading the solver or solving failed. */
  error = $state('');

  private link: WorkerLink;
  /** Resolves once the game is known or rejected, or loading the solver failed. */
  private named: Promise<void>;

  constructor(
    private readonly guest: Guest,
    private readonly workshop: Workshop,
  ) {
    this.link = this.started();
    this.named = this.name();
  }

  private started(): WorkerLink {
    return new WorkerLink(this.workshop, (stage) => (this.stage = stage));
  }

  private async name(): Promise<void> {
    const { name, board } = this.guest;
    const { link } = this;
    // A game that was stopped does not start again by itself.
    const first = this.description === null;
    try {
      // For the module, an empty text means no board. A blank line makes it report the empty board as an error.
      const { game, refused } = await link.name(name, board === '' ? '\n' : (board ?? ''));
      this.description = game ?? null;
      this.refused = refused ?? null;
      this.phase = this.description ? 'unsolved' : 'refused';
    } catch (error) {
      if (link !== this.link) return;
      this.error = textOf(error);
      this.phase = 'failed';
      return;
    }
    if (first && (this.description?.seconds ?? Infinity) <= QUICK) void this.solve();
  }

  /** Loads the solver again after a failure. */
  async retry(): Promise<void> {
    if (this.phase !== 'failed') return;
    this.phase = 'opening';
    this.error = '';
    this.named = this.name();
    await this.named;
  }

  async solve(): Promise<void> {
    if (this.phase !== 'unsolved') return;
    this.phase = 'solving';
    this.error = '';
    this.stage = null;
    const began = performance.now();
    const { link } = this;
    try {
      this.error = await link.solve();
      this.seconds = (performance.now() - began) / 1000;
      this.phase = this.error === '' ? 'solved' : 'unsolved';
    } catch (error) {
      // Stopping a solve is not an error.
      if (link !== this.link) return;
      this.error = textOf(error);
      this.phase = 'unsolved';
    }
  }

  /** Solves the game as soon as it is known. */
  async begin(): Promise<void> {
    await this.named;
    await this.solve();
  }

  /** Stops a solve. The game stays, without values. */
  stop(): void {
    if (this.phase !== 'solving') return;
    const { link } = this;
    this.link = this.started();
    link.end();
    this.named = this.name();
  }

  async ask<T>(question: Omit<Question, 'path'>, what: string): Promise<T> {
    await this.named;
    if (this.phase === 'failed') throw new ApiError(this.error, 0);
    if (!this.description) throw new ApiError(this.refused?.detail ?? 'There is no such game.', 404);
    // The module uses the names of the command line, not of addresses.
    const path = `games/${encodeURIComponent(this.description.about.game)}${what}`;
    const { status, body } = await this.link.ask({ ...question, path });
    if (status !== 200) throw problemOf(status, body);
    return body as T;
  }

  end(): void {
    this.link.end();
  }
}
