import type { CommandGroup } from './command-spec.ts';
import { hotelAdd } from './hotel-add.ts';
import { hotelPut, hotelRemove, hotelRollBack, hotelSet } from './hotel-change.ts';
import { hotelCheck } from './hotel-check.ts';
import { hotelList, hotelShow, hotelVersions } from './hotel-directory.ts';
import { HOTEL_KEY_COMMANDS } from './key-commands.ts';
import { HOTEL_WEBHOOK_COMMANDS } from './webhook-commands.ts';

/** Hotels: setting them up, looking after them, and looking for what is wrong. */
export const HOTEL_COMMANDS: CommandGroup = {
  name: 'hotel',
  summary: 'Set up hotels, change them, and check their set-up',
  commands: [hotelAdd, hotelCheck, hotelList, hotelShow, hotelPut, hotelSet, hotelRemove, hotelVersions, hotelRollBack],
  groups: [HOTEL_KEY_COMMANDS, HOTEL_WEBHOOK_COMMANDS],
};
