// Counts good replies to the turns that hold a position, page by page, and finds the turn that leaves the fewest.

import { api } from '../api/api';
import type { HoldingTurn, Probe } from '../api/types';

/** Turns of the first page; each further page has twice as many, so that the first numbers appear quickly. */
const FIRST = 4;
/** The most turns whose replies are counted: if nearly every turn holds, the number says little. */
const MAX_TURNS = 256;

export class ReplyCount {
  private readonly game: string;
  private readonly probe: Probe;
  private stopped = false;
  /** The turn that leaves the fewest good replies, of those counted so far. */
  hardest = $state.raw<HoldingTurn | null>(null);
  /** The number of turns whose replies were counted, and of all that hold. */
  counted = $state(0);
  holding = $state(0);

  constructor(game: string, probe: Probe) {
    this.game = game;
    this.probe = probe;
  }

  /** Whether the replies to all turns that hold were counted. */
  get complete(): boolean {
    return this.counted >= this.holding;
  }

  stop(): void {
    this.stopped = true;
  }

  async run(): Promise<void> {
    const { position, to_move } = this.probe;
    let limit = FIRST;
    for (let offset: number | undefined = 0; offset !== undefined && offset < MAX_TURNS; limit *= 2) {
      try {
        const answer = await api.pressure(this.game, { position, to_move, offset, limit });
        if (this.stopped) return;
        this.holding = answer.holding;
        for (const turn of answer.holding_turns) {
          // A turn that ends the game sets no task.
          if (turn.replies.all > 0 && (!this.hardest || turn.holding < this.hardest.holding))
            this.hardest = turn;
        }
        this.counted += answer.holding_turns.length;
        offset = answer.page?.next;
      } catch {
        // The line shows the count so far.
        return;
      }
    }
  }
}
