// Drills as a file, to transfer them to another browser. Every field of a file is validated.

import { kindOf } from '../values/puzzles';
import { PAUSES, type Card } from './schedule';

const FORM = 'retrograde drills';
const VERSION = 1;
/** More than anyone needs; larger files are rejected. */
const MAX_CARDS = 20_000;

export const drillText = (cards: readonly Card[]): string =>
  `${JSON.stringify({ form: FORM, version: VERSION, cards }, null, 1)}\n`;

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length < 1000;
const isDay = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Validates a card; null if it is invalid. */
export function cardOf(value: unknown): Card | null {
  const card = (value ?? {}) as Record<string, unknown>;
  const { game, position, pause, seen, due } = card;
  const kind = isText(card.kind) ? kindOf(card.kind) : null;
  const toMove = card.toMove === 'second' ? 'second' : 'first';
  if (!kind || !isText(game) || !isText(position) || !isDay(pause) || !isDay(seen) || !isDay(due))
    return null;
  return pause < PAUSES.length ? { game, kind, position, toMove, pause, seen, due } : null;
}

/** Reads the cards in a file; throws an error if it is invalid. */
export function readDrills(text: string): Card[] {
  let file: Record<string, unknown> | null = null;
  try {
    file = JSON.parse(text) as Record<string, unknown> | null;
  } catch {
    // Reported below.
  }
  if (file?.form !== FORM || !Array.isArray(file.cards)) throw new Error('This is not a drills file.');
  if (file.version !== VERSION)
    throw new Error(
      `This drills file has version ${String(file.version)}, but this page reads version ${VERSION}.`,
    );
  if (file.cards.length > MAX_CARDS) throw new Error(`A drills file can have at most ${MAX_CARDS} cards.`);
  return file.cards.map((value: unknown, at) => {
    const card = cardOf(value);
    if (!card) throw new Error(`Card ${at + 1} of this file is damaged.`);
    return card;
  });
}
