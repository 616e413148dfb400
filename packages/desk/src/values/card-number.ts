/** What the proxy refuses wherever somebody types. */
import { holdsCardNumber } from '@innkeep/core/values';

/** Whether a text holds 13 to 19 digits that can be a card number. */
export function holdsCard(text: string): boolean {
  return holdsCardNumber(text, { fewest: 13 });
}
