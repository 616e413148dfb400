import type { PlatformEvent, WebhookEvent } from '@innkeep/core/contract';
import { movedText } from '../terminal/money-text.ts';
import { plainText } from '../terminal/plain-text.ts';

/** The line about an event: when, what, which hotel if there are many, which resource, how much. */
export function eventLine(event: WebhookEvent | PlatformEvent): string {
  const { timestamp, type, data } = event;
  const hotel = 'position' in event ? event.property : '';
  const { object } = data;
  const about = 'id' in object ? object.id : '';
  const amount = 'amount' in object ? movedText(object) : '';
  const reference = 'reference' in object ? object.reference : '';
  return [timestamp.slice(11, 19), type.padEnd(18), hotel, about, amount, reference, errorOf(event)]
    .filter((part) => part !== '' && part !== null && part !== undefined)
    .map(plainText)
    .join('  ');
}

/** Why it failed; for a session only where the event is about a failed attempt. */
function errorOf({ type, data: { object } }: WebhookEvent | PlatformEvent): string | undefined {
  if ('error' in object) return object.error?.code;
  if (object.object !== 'checkout_session' || !/^checkout\.(attempt_failed|unknown)$/.test(type)) return undefined;
  return object.attempts.findLast(({ error }) => error !== null)?.error?.code;
}
