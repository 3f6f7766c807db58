// The page that stands alone: the same screens over a game that is inside it.

import { mount } from 'svelte';
import './app.css';
import App from './App.svelte';
import { ask, useBackend } from './api/server';
import { Offline } from './api/standalone';
import { route } from './navigation/route.svelte';
import type { GameSummary } from './api/types';

const target = document.getElementById('page')!;
try {
  useBackend(await Offline.open());
  if (!route.place.game) {
    const { games } = await ask().get<{ games: GameSummary[] }>('games');
    route.go({ game: games[0]?.about.game ?? null });
  }
  mount(App, { target });
} catch (error) {
  target.textContent = `This page cannot be opened: ${error instanceof Error ? error.message : String(error)}`;
}
