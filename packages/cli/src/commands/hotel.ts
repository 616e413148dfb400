import type { CommandGroup } from './command-spec.ts';
import { hotelAdd } from './hotel-add.ts';
import { hotelCheck } from './hotel-check.ts';

/** Hotels: setting them up and looking for what is wrong. */
export const HOTEL_COMMANDS: CommandGroup = {
  name: 'hotel',
  summary: 'Set up a hotel and check its set-up',
  commands: [hotelAdd, hotelCheck],
};
