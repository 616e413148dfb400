import type { PropertyInput } from '@innkeep/core/contract';
import { isInnkeepError } from '@innkeep/core/errors';
import { createMerchantClient } from '@innkeep/core/merchant';
import type { Io } from '../process/io.ts';
import { sha256Of } from '../property/secrets.ts';
import { type CheckResult, ok, skipped } from './check-result.ts';

const NAME = 'return-codes';
const TIMEOUT_MS = 15_000;
const NEWEST = 100;
const FIX = 'Use a key with the scope read.';

/**
 * Names each `returnCode` with which the payment service answered the newest refused and unknown charges and reversals: no
 * specification lists them, so somebody has to ask the vendor what each one means.
 */
export async function checkReturnCodes(
  io: Io,
  { endpoint, secretKey, property }: { endpoint: string; secretKey: string; property: PropertyInput },
): Promise<CheckResult> {
  // A call without the scope pages whoever is on call: the proxy takes it for a key in the wrong hands.
  const sha256 = sha256Of(secretKey);
  const { scopes = [] } = property.merchantKeys.find((key) => key.sha256.toLowerCase() === sha256) ?? {};
  if (!scopes.includes('read') && !(scopes.includes('charges') && scopes.includes('reversals'))) {
    return skipped(NAME, 'The key may not read charges and reversals.', FIX);
  }
  const merchant = createMerchantClient({ endpoint, secretKey, fetch: io.fetch, timeoutMs: TIMEOUT_MS });
  const counts = new Map<string, number>();
  try {
    for (const resource of [merchant.charges, merchant.reversals]) {
      for (const status of ['declined', 'unknown'] as const) {
        const { data } = await resource.list({ status, limit: NEWEST }, { signal: io.signal });
        for (const { error } of data) {
          if (error?.returnCode === undefined) continue;
          const line = `${JSON.stringify(error.returnCode)} (${status})`;
          counts.set(line, (counts.get(line) ?? 0) + 1);
        }
      }
    }
  } catch (error) {
    if (!isInnkeepError(error)) throw error;
    return skipped(NAME, `The charges cannot be read: ${error.message}`, FIX);
  }
  if (counts.size === 0) return ok(NAME, 'No charge or reversal was answered with a returnCode other than 0.');
  const uncertain = property.uncertainReturnCodes?.join(', ') ?? '68, 91, 96';
  return {
    check: NAME,
    status: 'advice',
    message: `The payment service has answered with returnCode ${[...counts].map(([line, times]) => `${line} × ${times}`).join(', ')}.`,
    fix: `Ask the vendor what each one means. Add each one that does not prove that nothing was done to uncertainReturnCodes, now ${uncertain || 'empty'}.`,
  };
}
