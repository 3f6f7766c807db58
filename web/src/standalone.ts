// The standalone page: the same screens, with one game embedded.

import { mount } from 'svelte';
import './app.css';
import './frame.css';
import './play.css';
import { api, useBackend, useGuests } from './api/api';
import { StandaloneGame } from './api/standalone';
import App from './App.svelte';
import { embeddedWorkshop } from './guest/embedded';
import { openGuests } from './guest/guests';
import { route } from './navigation/route.svelte';
import { errorText } from './words/games';

const target = document.getElementById('page')!;
try {
  useBackend(await StandaloneGame.open());
  useGuests(openGuests(embeddedWorkshop));
  if (!route.address.game) {
    const { games } = await api.games();
    route.go({ game: games[0]?.about.game ?? null });
  }
  mount(App, { target });
} catch (error) {
  target.textContent = `This page could not be opened: ${errorText(error)}`;
}
