import { createHash } from 'node:crypto';
import { hotelAt, SANDBOX_LOGIN } from '../../support/sandbox-hotel.ts';

/** The hotel's key in these tests. */
export const MERCHANT_KEY = `sk_test_${'blackbox'.repeat(4)}`;

/** One usable hotel in `.dev.vars` form. */
export function environment(upstreamUrl: string): string {
  const sha256 = createHash('sha256').update(MERCHANT_KEY).digest('hex');
  const merchantKeys = [{ id: 'web', sha256, scopes: ['checkout', 'events'] }];
  return `PROPERTY_AURORA='${JSON.stringify({ ...hotelAt(upstreamUrl), ...SANDBOX_LOGIN, merchantKeys })}'\n`;
}
