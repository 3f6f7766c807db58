import { mount } from 'svelte';
import './app.css';
import './frame.css';
import './play.css';
import { useGuests } from './api/api';
import App from './App.svelte';
import Waiting from './components/Waiting.svelte';
import { openGuests } from './guest/guests';
import { servedWorkshop } from './guest/served';
import { errorText } from './words/games';

mount(Waiting, { target: document.body });
const target = document.getElementById('page')!;
const site = document.querySelector<HTMLMetaElement>('meta[name="retrograde-site"]');
try {
  // The page of a site names its index; otherwise there is a server.
  if (site) await import('./site/open').then(({ beginSite }) => beginSite(site.content, site.dataset.module));
  else useGuests(openGuests(servedWorkshop));
  target.replaceChildren();
  mount(App, { target });
} catch (error) {
  target.textContent = `This page could not be opened: ${errorText(error)}`;
}
