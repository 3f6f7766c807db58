// The properties of every screen of a game.

import type { Address } from '../navigation/address';

export interface ScreenProps {
  game: string;
  address: Address;
}
