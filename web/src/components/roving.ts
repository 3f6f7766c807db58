// A list of buttons that is a single Tab stop ("roving tabindex"), so that a list of hundreds does not keep the keyboard
// from what follows it. Arrow keys go from button to button.

import type { Attachment } from 'svelte/attachments';
import { on } from 'svelte/events';

type Next = (all: HTMLButtonElement[], from: HTMLButtonElement) => HTMLButtonElement | undefined;

const neighbour =
  (by: number): Next =>
  (all, from) =>
    all[all.indexOf(from) + by];

/** The nearest button in the next row above or below. */
const inRow =
  (below: boolean): Next =>
  (all, from) => {
    const here = from.getBoundingClientRect();
    const ahead = all.flatMap((button) => {
      const { left, top, bottom } = button.getBoundingClientRect();
      const gap = Math.round(below ? top - here.bottom : here.top - bottom);
      return gap < 0 ? [] : [{ button, gap, aside: Math.abs(left - here.left) }];
    });
    return ahead.sort((a, b) => a.gap - b.gap || a.aside - b.aside)[0]?.button;
  };

/** The keys of a list in which nothing else uses arrow keys. */
const ALL: Record<string, Next> = {
  ArrowLeft: neighbour(-1),
  ArrowRight: neighbour(1),
  ArrowUp: inRow(false),
  ArrowDown: inRow(true),
  Home: (all) => all[0],
  End: (all) => all.at(-1),
};
/** The keys of a list whose screen has another use for the others. */
const UP_AND_DOWN: Record<string, Next> = { ArrowUp: neighbour(-1), ArrowDown: neighbour(1) };

/**
 * Makes the buttons of an element one Tab stop: the button that last had the focus, else the current one, else the
 * first. While the keyboard is in the list, the focus stays there, even if its button is replaced by another one with the
 * same value, or disappears; and it follows the current button. With `presses`, keys press the button that they
 * go to, as in the tree of turns, where that shows a position.
 */
export function roving(presses = false): Attachment<HTMLElement> {
  const keys = presses ? UP_AND_DOWN : ALL;
  return (list) => {
    let stop: HTMLButtonElement | null = null;
    let current: HTMLButtonElement | null = null;
    /** Whether the focus came here by keyboard. After a click, keys mean what they mean on the rest of the screen. */
    let walking = false;
    let moving = false;

    function focus(button: HTMLButtonElement): void {
      moving = true;
      button.focus();
      moving = false;
    }

    function update(): void {
      const all = [...list.querySelectorAll('button')];
      const marked = all.find((button) => button.ariaCurrent) ?? null;
      const moved = marked !== current;
      if (moved) stop = current = marked;
      const { value = '' } = stop ?? {};
      if (!stop?.isConnected) stop = all.find((button) => value !== '' && button.value === value) ?? null;
      const reached = stop ?? current ?? all[0];
      for (const button of all) button.tabIndex = button === reached ? 0 : -1;
      // The focus of a button that is removed goes to the body.
      const lost = document.activeElement === document.body;
      if (!lost && !list.contains(document.activeElement)) walking = false;
      else if (walking && reached && (lost || moved)) focus(reached);
    }

    const ends = [
      on(list, 'focusin', ({ target }) => {
        if (moving || !(target instanceof HTMLButtonElement)) return;
        walking = target.matches(':focus-visible');
        stop = target;
        update();
      }),
      on(list, 'focusout', ({ relatedTarget }) => {
        if (relatedTarget && !list.contains(relatedTarget as Node)) walking = false;
      }),
      on(document, 'pointerdown', () => (walking = false), { capture: true }),
      on(list, 'keydown', (event) => {
        const { key, target, altKey, ctrlKey, metaKey } = event;
        const next = keys[key];
        if (!walking || !next || altKey || ctrlKey || metaKey || !(target instanceof HTMLButtonElement))
          return;
        event.preventDefault();
        event.stopPropagation();
        const button = next([...list.querySelectorAll('button')], target);
        button?.focus();
        if (presses) button?.click();
      }),
    ];
    list.dataset.roving = '';
    const changes = new MutationObserver(update);
    changes.observe(list, { childList: true, subtree: true, attributeFilter: ['aria-current'] });
    update();
    return () => {
      changes.disconnect();
      for (const end of ends) end();
    };
  };
}
