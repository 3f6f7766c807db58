// Begins the page of a site: its backend, its workshop, and the service worker that keeps what was seen.

import { useBackend, useGuests } from '../api/api';
import { openGuests } from '../guest/guests';
import { readAddress } from '../navigation/address';
import { openSite } from './site';
import { siteWorkshop } from './workshop';

export async function beginSite(address: string): Promise<void> {
  const site = await openSite(address);
  site.begin(readAddress(location.hash));
  useBackend(site);
  useGuests(openGuests(siteWorkshop(site)));
  void keepForLater();
}

/** Without a service worker (no https, a private window) everything works but nothing is there offline. */
async function keepForLater(): Promise<void> {
  if (!('serviceWorker' in navigator) || !isSecureContext) return;
  await navigator.serviceWorker.register('./service-worker.js').catch(() => null);
}
