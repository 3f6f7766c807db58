// Every screen of a game gets the same.

import type { Address } from '../navigation/address';

export interface ScreenProps {
  game: string;
  address: Address;
}
