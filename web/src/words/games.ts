// Titles and file names of games, and numbers and errors as text.

import { SvelteMap } from 'svelte/reactivity';
import { boardName, readGuest } from '../api/guest-name';
import type { Count, GameSummary } from '../api/types';
import { plainText } from './prose';

/** The family of a game: the first part of its name. */
export const familyOf = (game: string): string => (readGuest(game)?.name ?? game).split(/[:,]/)[0] ?? game;

const FAMILIES: Record<string, string> = {
  tactics: 'Tactics',
  touchdown: 'TouchDown',
  pushfight: 'Push Fight',
};

/** The title of a family: "TouchDown". For unknown families, the words that the titles of all its games start with. */
export function familyTitle(family: string, titles: readonly string[] = []): string {
  const ours = FAMILIES[family];
  if (ours !== undefined) return ours;
  // Sizes and keys are not part of the family's title, even if there is only one game.
  const named = titles.map(
    (title) =>
      title
        .split(',')[0]
        ?.replace(/ [\d×x ]+$/, '')
        .split(' ') ?? [],
  );
  const [first = [], ...others] = named;
  const differs = first.findIndex((word, at) => others.some((words) => words[at] !== word));
  const common = first.slice(0, differs < 0 ? first.length : differs).join(' ');
  return common || family.charAt(0).toUpperCase() + family.slice(1);
}

/** Titles from answers, by game name. */
const answeredTitles = new SvelteMap<string, string>();

/** Remembers titles of games for `titleOf`; those of the built-in families follow from the name. */
export function keepTitles(games: readonly GameSummary[]): void {
  for (const game of games) if (hasTitle(game)) answeredTitles.set(game.about.game, game.title);
}

/** Whether a game has a title that does not follow from its name. */
export const hasTitle = ({ about, title }: GameSummary): boolean =>
  title !== about.game && FAMILIES[familyOf(about.game)] === undefined;

/** The title of a game, from an answer or else derived from its name: "TouchDown 4 × 4". */
export function titleOf(game: string): string {
  const title = answeredTitles.get(game);
  if (title !== undefined) return title;
  const guest = readGuest(game);
  if (guest && guest.board !== null) return `Push Fight on “${boardName(guest.board) ?? 'your board'}”`;
  if (guest) return titleOf(guest.name);
  const family = familyOf(game);
  // The standard board is the game itself.
  const variant = game.slice(family.length).replace(/^:(standard$)?/, '');
  const text = variant.replace(/(\d+)x(\d+)/, '$1 × $2').replaceAll(',', ', ');
  return `${familyTitle(family)} ${text}`.trim();
}

/** The part of a title after the title of the family: "4 × 4"; else the variant part of the name. */
export function variantTitle(title: string, game: string, common: string): string {
  const family = familyOf(game);
  if (title === common) return game.slice(family.length + 1) || title;
  return title.startsWith(`${common} `) ? title.slice(common.length + 1) : title;
}

/** Capitalises the text and adds a full stop. */
export const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');

/** The name of a game for use in file names. */
export function fileName(game: string): string {
  const guest = readGuest(game);
  const name =
    guest && guest.board !== null ? `pushfight-${boardName(guest.board) ?? 'board'}` : (guest?.name ?? game);
  return name.replaceAll(/[^a-z0-9]+/gi, '-');
}

/** A number with separators: 401,567,166,000. */
export const withSeparators = (count: Count): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Why a name opens no game, as a sentence. The page shows the name and a suggestion anyway, so it leaves them out. */
export function gameErrorText(error: unknown): string {
  const text = errorText(error)
    .replace(/^game “[^”]*”: /, '')
    .replace(/; did you mean `[^`]*`\?$/, '');
  return plainText(sentence(text));
}
