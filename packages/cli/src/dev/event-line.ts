import type { PlatformEvent, WebhookEvent } from '@innkeep/core/contract';
import { moneyText } from '../terminal/money-text.ts';
import { plainText } from '../terminal/plain-text.ts';

/** What of an event is worth one line: when, what, whose if it is of many hotels, which, how much. */
export function eventLine(event: WebhookEvent | PlatformEvent): string {
  const { timestamp, type, data } = event;
  const hotel = 'position' in event ? event.property : '';
  const { object } = data;
  const about = 'id' in object ? object.id : '';
  const amount = 'amount' in object ? moneyText(object.amount) : '';
  const reference = 'reference' in object ? object.reference : '';
  const error = 'error' in object && object.error !== null && object.error !== undefined ? object.error.code : '';
  return [timestamp.slice(11, 19), type.padEnd(18), hotel, about, amount, reference, error]
    .filter((part) => part !== '' && part !== null && part !== undefined)
    .map(plainText)
    .join('  ');
}
