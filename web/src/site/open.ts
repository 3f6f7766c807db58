// Starts the page of a site: its backend, its workshop, and the service worker for offline use.

import { useBackend, useGuests } from '../api/api';
import { openGuests } from '../guest/guests';
import { readAddress } from '../navigation/address';
import { early } from './early';
import { IncomingFile } from './incoming-file';
import { isPosition, openSite } from './site';
import { siteWorkshop } from './workshop';

/** Starts a site from the address of its index; `module` is the address of its module, if known. */
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
 * Loads the files for offline use, including the scripts of all screens, once the page is complete. Without a service
 * worker (no HTTPS, a private window) everything works, but only online. */
async function keepForLater(): Promise<void> {
  if (!('serviceWorker' in navigator) || !isSecureContext) return;
  await navigator.serviceWorker.register('./service-worker.js').catch(() => null);
}
