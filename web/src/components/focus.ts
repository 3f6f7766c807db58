// Keeps the keyboard where its user is. If the element with the focus is removed, hidden or disabled, browsers put the
// focus at the start of the page; here it goes to what is next to that element.

import { on } from 'svelte/events';

/** The board of a screen; it can get the focus, and arrow keys then mean what they mean on the rest of the screen. */
const STAGE = '.stage[tabindex]';

/** Shows the board, which may be out of sight on a phone, and moves the focus there. */
export function showBoard(): void {
  const stage = document.querySelector<HTMLElement>(STAGE);
  stage?.focus({ preventScroll: true });
  stage?.scrollIntoView({ block: 'nearest' });
}

/** Shows a heading with what follows it, unless the heading is on the screen. */
export function showHeading(id: string): void {
  const heading = document.getElementById(id);
  if (!heading) return;
  const { top, bottom } = heading.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) heading.scrollIntoView();
}

const reachable = (element: Element): boolean =>
  element.isConnected && !element.matches(':disabled') && element.checkVisibility();

/** What to go to in a place from which the focus was lost: the board, the place itself if it can have the focus, the main
 * button, else the first button or link. */
function nextIn(place: Element, lost: Element): HTMLElement | SVGElement | null {
  const find = (what: string) =>
    [...place.querySelectorAll<HTMLElement | SVGElement>(what)].find(
      (element) => element.tabIndex >= 0 && reachable(element),
    );
  const square = lost.matches('.cell') ? find('.board .cell') : undefined;
  return (
    square ??
    place.querySelector<HTMLElement>(STAGE) ??
    (place instanceof HTMLElement && place.hasAttribute('tabindex') ? place : undefined) ??
    find(':is(a, button).main') ??
    find('a, button, summary') ??
    null
  );
}

/** Keeps the focus in an element. Lists look after themselves. */
export function keepFocus(root: HTMLElement): () => void {
  /** The element that had the focus last, and the elements around it, the innermost first. */
  let last: Element | null = null;
  let around: Element[] = [];

  function check(): void {
    const { activeElement, body } = document;
    if (!last || (activeElement !== body && activeElement !== last) || reachable(last)) return;
    const lost = last;
    if (around.some((place) => place.isConnected && place.hasAttribute('data-roving'))) return;
    last = null;
    for (const place of around) {
      const next = reachable(place) ? nextIn(place, lost) : null;
      next?.focus({ preventScroll: true });
      if (next) return;
    }
  }

  const ends = [
    on(root, 'focusin', ({ target }) => {
      last = target as Element;
      around = [];
      for (let place = last.parentElement; place && root.contains(place); place = place.parentElement)
        around.push(place);
    }),
    // After a click on nothing, nothing has the focus.
    on(document, 'pointerdown', () => (last = null), { capture: true }),
  ];
  const changes = new MutationObserver(check);
  changes.observe(root, { childList: true, subtree: true, attributeFilter: ['disabled', 'open'] });
  return () => {
    changes.disconnect();
    for (const end of ends) end();
  };
}
