// Where the page is. The browser's address and this state follow each other.

import { readAddress, writeAddress, type Address } from './address';

class Route {
  /** Where one went: screens open what it names. */
  address = $state.raw<Address>(readAddress(location.hash));
  /** The hash that belongs to what is shown. */
  private hash = location.hash;

  constructor() {
    // The browser tells of links and of back and forward, not of `replace`.
    addEventListener('hashchange', () => {
      this.hash = location.hash;
      this.address = readAddress(this.hash);
    });
  }

  /** Changes the address of what is shown already, unless one is on the way to another. */
  replace(address: Partial<Address>): void {
    const hash = writeAddress(address);
    if (hash === this.hash || location.hash !== this.hash) return;
    history.replaceState(null, '', hash);
    this.hash = location.hash;
  }

  /** Goes somewhere else. */
  go(address: Partial<Address>): void {
    const hash = writeAddress(address);
    if (hash === location.hash) this.address = readAddress(hash);
    else location.hash = hash;
  }
}

export const route = new Route();
