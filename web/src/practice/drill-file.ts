// Drills as a file, so that they can be taken to another browser. What a file says is checked word by word.

import { kindOf } from '../values/puzzles';
import { PAUSES, type Card } from './schedule';

const FORM = 'retrograde drills';
const VERSION = 1;
/** Far more than anybody repeats; a file with more is not one of ours. */
const MOST_CARDS = 20_000;

export const drillText = (cards: readonly Card[]): string =>
  `${JSON.stringify({ form: FORM, version: VERSION, cards }, null, 1)}\n`;

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length < 1000;
const isDay = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** A card as this page keeps it; null if that is none. */
export function cardOf(value: unknown): Card | null {
  const card = (value ?? {}) as Record<string, unknown>;
  const { game, position, pause, seen, due } = card;
  const kind = isText(card.kind) ? kindOf(card.kind) : null;
  const toMove = card.toMove === 'second' ? 'second' : 'first';
  if (!kind || !isText(game) || !isText(position) || !isDay(pause) || !isDay(seen) || !isDay(due))
    return null;
  return pause < PAUSES.length ? { game, kind, position, toMove, pause, seen, due } : null;
}

/** The cards in a file; an error says what is wrong with it. */
export function readDrills(text: string): Card[] {
  let file: Record<string, unknown> | null = null;
  try {
    file = JSON.parse(text) as Record<string, unknown> | null;
  } catch {
    // Said below.
  }
  if (file?.form !== FORM || !Array.isArray(file.cards)) throw new Error('This is no file of drills.');
  if (file.version !== VERSION)
    throw new Error(`This file of drills has version ${String(file.version)}; this page reads ${VERSION}.`);
  if (file.cards.length > MOST_CARDS) throw new Error(`A file of drills has at most ${MOST_CARDS} cards.`);
  return file.cards.map((value: unknown, at) => {
    const card = cardOf(value);
    if (!card) throw new Error(`Card ${at + 1} of this file is damaged.`);
    return card;
  });
}
