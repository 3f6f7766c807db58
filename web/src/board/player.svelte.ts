// Shows a turn while it is made: the frames of a `TurnShow`, one for each picture that the browser draws.

import type { View } from '../api/types';
import type { Layout } from './geometry';
import { TurnShow, type Frame, type ShownTurn } from './motion';

/** Whether turns are shown as they are made: not to people who want no motion, and not where nobody looks. */
const isWanted = (): boolean =>
  !matchMedia('(prefers-reduced-motion: reduce)').matches && document.visibilityState === 'visible';

export class MotionPlayer {
  private show = $state.raw<TurnShow | null>(null);
  private time = $state(0);
  /** The view that was shown when the motion began: it may be the one before the turn for a while longer. */
  private begun: View | null = null;
  private key: unknown = undefined;
  private request = 0;
  private ended: () => void = () => {};

  get running(): boolean {
    return this.show !== null && this.time < this.show.duration;
  }

  /** Whether a piece leaves the board in the turn. */
  get loses(): boolean {
    return this.show?.loses ?? false;
  }

  /** The picture that is drawn instead of a view; null where the view itself is. */
  frame(view: View, layout: Layout, turned: boolean): Frame | null {
    const { show } = this;
    if (!show) return null;
    if (this.running) return show.frame(this.time, layout, turned);
    // The view after the turn has not come yet.
    return view === this.begun ? show.end : null;
  }

  /** Shows a turn, if it is another one than before; null ends all motion. A piece that was dragged does not go
   * its way again. */
  begin(shown: ShownTurn | null, view: View, dragged: string | null, ended: () => void): void {
    if (!shown) {
      this.stop();
      return;
    }
    if (shown.key === this.key) return;
    this.stop();
    this.key = shown.key;
    if (!isWanted()) {
      ended();
      return;
    }
    this.show = new TurnShow(shown, dragged);
    this.begun = view;
    this.ended = ended;
    let start: number | null = null;
    const next = (now: number): void => {
      start ??= now;
      this.time = now - start;
      if (this.running) this.request = requestAnimationFrame(next);
      else this.finish();
    };
    this.request = requestAnimationFrame(next);
  }

  /** Goes to the end of the turn at once. */
  finish(): void {
    if (!this.show) return;
    cancelAnimationFrame(this.request);
    this.time = this.show.duration;
    const { ended } = this;
    this.ended = () => {};
    ended();
  }

  private stop(): void {
    cancelAnimationFrame(this.request);
    this.show = this.begun = null;
    this.key = undefined;
    this.time = 0;
    this.ended = () => {};
  }
}
