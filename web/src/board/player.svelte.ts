// Plays the animation of a turn: one frame of a `TurnShow` for each frame of the browser.

import type { View } from '../api/types';
import type { Layout } from './geometry';
import { TurnShow, type Frame, type ShownTurn } from './motion';

/** Whether turns are animated: not with reduced motion, and not in hidden pages. */
const isWanted = (): boolean =>
  !matchMedia('(prefers-reduced-motion: reduce)').matches && document.visibilityState === 'visible';

export class MotionPlayer {
  private show = $state.raw<TurnShow | null>(null);
  private time = $state(0);
  /** The view at the start of the animation; it may still be shown for a while afterwards. */
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

  /** The frame to draw instead of a view; null to draw the view. */
  frame(view: View, layout: Layout, turned: boolean): Frame | null {
    const { show } = this;
    if (!show) return null;
    if (this.running) return show.frame(this.time, layout, turned);
    // The view after the turn has not arrived yet.
    return view === this.begun ? show.end : null;
  }

  /** Animates a turn unless it is the same as before; null stops all motion. A dragged piece starts at its
   * destination. */
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

  /** Skips to the end of the turn. */
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
