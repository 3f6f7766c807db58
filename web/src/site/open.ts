// Begins the page of a site: its backend, its workshop, and the service worker that keeps what was seen.

import { useBackend, useGuests } from '../api/api';
import { openGuests } from '../guest/guests';
import { readAddress } from '../navigation/address';
import { early } from './early';
import { IncomingFile } from './incoming-file';
import { isPosition, openSite } from './site';
import { siteWorkshop } from './workshop';

/** Begins a site by the address of its index; `module` is that of its module, as far as the page knows. */
export async function beginSite(address: string, module: string | undefined): Promise<void> {
  const place = readAddress(location.hash);
  const index = early('index');
  const asked = early('module') ?? (module && isPosition(place) ? fetch(module) : null);
  const file = module && asked ? new IncomingFile(module, asked) : null;
  const site = await openSite(address, index);
  if (module && file) site.expect(module, file);
  site.begin(place);
  useBackend(site);
  useGuests(openGuests(siteWorkshop(site)));
  void site.quiet().then(keepForLater);
}

/**
 * Fetches the files for later once the page has what it shows; they include all scripts of all screens.
 * Without a service worker (no https, a private window) everything works but nothing is there offline. */
async function keepForLater(): Promise<void> {
  if (!('serviceWorker' in navigator) || !isSecureContext) return;
  await navigator.serviceWorker.register('./service-worker.js').catch(() => null);
}
