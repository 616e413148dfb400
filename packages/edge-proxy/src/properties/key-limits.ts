/** Whether a key may still be used, and from where. Pure. */
import type { MerchantKey } from '@innkeep/core/contract';
import { isInRanges } from '@innkeep/core/values';
import { ProblemError } from '../http/problem.ts';

/** Why a key that is right may not be used; undefined when it may. `now` in milliseconds; `address` is undefined where it is not known. */
export function findKeyRefusal(
  { expiresAt, allowFrom }: Pick<MerchantKey, 'expiresAt' | 'allowFrom'>,
  { now, address }: { readonly now: number; readonly address: string | undefined },
): { readonly reason: 'expired' | 'address'; readonly problem: ProblemError } | undefined {
  if (expiresAt !== undefined && now >= endOf(expiresAt)) {
    const detail = `This key expired at ${expiresAt}`;
    return { reason: 'expired', problem: new ProblemError('unauthorized', { detail, param: 'Authorization' }) };
  }
  if (allowFrom === undefined || (address !== undefined && isInRanges(address, allowFrom))) return undefined;
  const detail = `This key may not be used from ${address ?? 'an address that the proxy cannot tell'}`;
  return { reason: 'address', problem: new ProblemError('forbidden', { detail, param: 'Authorization' }) };
}

/** When a key ends, in milliseconds. A day that does not exist, such as 30 February, was never refused. It means its month’s end. */
export function endOf(expiresAt: string): number {
  const end = new Date(expiresAt);
  // JavaScript reads it as a day of the next month.
  const isOnItsDay = end.getUTCDate() === Number(expiresAt.slice(8, 10));
  return isOnItsDay ? end.getTime() : Date.UTC(end.getUTCFullYear(), end.getUTCMonth());
}
