// The current address, in sync with the browser's.

import { readAddress, writeAddress, type Address } from './address';

class Route {
  /** The last navigation; screens open what it names. */
  address = $state.raw<Address>(readAddress(location.hash));
  /** The hash of what is shown. */
  private hash = location.hash;

  constructor() {
    // The browser fires events for links, back and forward, but not for `replace`.
    addEventListener('hashchange', () => {
      this.hash = location.hash;
      this.address = readAddress(this.hash);
    });
  }

  /** Changes the address without opening it, unless a navigation is in progress. */
  replace(address: Partial<Address>): void {
    const hash = writeAddress(address);
    if (hash === this.hash || location.hash !== this.hash) return;
    history.replaceState(null, '', hash);
    this.hash = location.hash;
  }

  /** Navigates to an address. */
  go(address: Partial<Address>): void {
    const hash = writeAddress(address);
    if (hash === location.hash) this.address = readAddress(hash);
    else location.hash = hash;
  }
}

export const route = new Route();
