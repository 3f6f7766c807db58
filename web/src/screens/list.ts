// The screens of a game: the part of the address, the title and the component of each.

import type { Component } from 'svelte';
import Play from './Play.svelte';
import type { ScreenProps } from './props';

export interface Screen {
  /** The part of the address after the game. */
  address: string;
  title: string;
  load: () => Promise<{ default: Component<ScreenProps> }>;
}

/** The default screen has no part in the address and comes with the page; others are loaded on demand. */
const PLAY: Screen = { address: '', title: 'Play', load: async () => ({ default: Play }) };

export const SCREENS: readonly Screen[] = [
  PLAY,
  { address: 'setup', title: 'Set up', load: () => import('./SetUp.svelte') },
  { address: 'numbers', title: 'Numbers', load: () => import('./Numbers.svelte') },
  { address: 'puzzles', title: 'Puzzles', load: () => import('./Puzzles.svelte') },
];

export const screenAt = (address: string): Screen =>
  SCREENS.find((screen) => screen.address === address) ?? PLAY;
