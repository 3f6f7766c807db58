// Where the page is. The browser's address and this state follow each other.

import { readAddress, writeAddress, type Address } from './address';

class Route {
  address = $state.raw<Address>(readAddress(location.hash));
  /** The hash that this page itself wrote last: no reason to load anything again. */
  private ownHash = '';

  constructor() {
    addEventListener('hashchange', () => {
      if (location.hash !== this.ownHash) this.address = readAddress(location.hash);
    });
  }

  /** Changes the address of what is shown already. */
  replace(address: Partial<Address>): void {
    const hash = writeAddress(address);
    if (hash === location.hash) return;
    this.ownHash = hash;
    history.replaceState(null, '', hash);
  }

  /** Goes somewhere else. */
  go(address: Partial<Address>): void {
    this.ownHash = '';
    const hash = writeAddress(address);
    if (hash === location.hash) this.address = readAddress(hash);
    else location.hash = hash;
  }
}

export const route = new Route();
