// Names of games for people and for files, and numbers and errors as text.

import { boardName, readGuest } from '../api/guest-name';
import type { Count } from '../api/types';

/** The family of a game: the beginning of its name. */
export const familyOf = (game: string): string => (readGuest(game)?.name ?? game).split(/[:,]/)[0] ?? game;

const FAMILIES: Record<string, string> = {
  tactics: 'Tactics',
  touchdown: 'TouchDown',
  pushfight: 'Push Fight',
};

/** The title of a family: "TouchDown". */
export const familyTitle = (family: string): string => FAMILIES[family] ?? family;

/** The title of a game for as long as only its name is known: "TouchDown 4 × 4". */
export function titleOf(game: string): string {
  const guest = readGuest(game);
  if (guest && guest.board !== null) return `Push Fight on “${boardName(guest.board) ?? 'your board'}”`;
  if (guest) return titleOf(guest.name);
  const family = familyOf(game);
  const variant = game.slice(family.length).replace(/^:/, '');
  const text = variant.replace(/(\d+)x(\d+)/, '$1 × $2').replaceAll(',', ', ');
  return `${familyTitle(family)} ${text}`.trim();
}

/** The part of a title that its family does not say: "4 × 4"; where there is none, as the name has it. */
export function variantTitle(title: string, game: string): string {
  const family = familyOf(game);
  const common = familyTitle(family);
  if (title === common) return game.slice(family.length + 1) || title;
  return title.startsWith(`${common} `) ? title.slice(common.length + 1) : title;
}

/** The text as a sentence. */
export const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');

/** The name of a game as a part of a file's. */
export function fileName(game: string): string {
  const guest = readGuest(game);
  const name =
    guest && guest.board !== null ? `pushfight-${boardName(guest.board) ?? 'board'}` : (guest?.name ?? game);
  return name.replaceAll(/[^a-z0-9]+/gi, '-');
}

/** A number for people: 401,567,166,000. */
export const withSeparators = (count: Count): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
