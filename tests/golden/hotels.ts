/** The hotels and keys of the golden folder. They never change: what is stored was sealed and derived with them. */
import { createHash } from 'node:crypto';
import { SCOPES } from '@innkeep/core/contract';

/** Who calls. Both keys are of the sandbox. */
export const KEYS = {
  aurora: `sk_test_${'golden'.repeat(6)}`,
  inn: `sk_test_${'innkey'.repeat(6)}`,
  platform: `pk_test_alpine_${'golden'.repeat(6)}`,
} as const;

/** The page of the hotel's reception. */
export const DESK = 'http://127.0.0.1:2';

const WEBHOOK_SECRET = `whsec_${Buffer.from('webhook-secret-of-the-golden-hotel').toString('base64')}`;
/** Nobody listens there, so that everything goes on waiting. */
const WEBHOOK_URL = 'http://127.0.0.1:1/hooks';

const sha256 = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Where the payment service is, and where it was when the folder was made. */
export interface Upstream {
  readonly url: string;
  readonly goldenUrl: string;
}

/** A hotel whose one key has every scope it may have. */
export function hotel(displayName: string, key: string, { url, goldenUrl }: Upstream): Record<string, unknown> {
  return {
    displayName,
    baseUrl: url,
    allowedOrigins: url === goldenUrl ? [] : [goldenUrl],
    customerId: '1234',
    username: 'demo',
    password: 'demo-password',
    hotelID: '1',
    hotelIDType: 'SANDBOX_PMS',
    user: 'web',
    timeZone: 'Europe/Vienna',
    amountUnit: 'minor',
    providerDirect: 'SANDBOX_DIRECT',
    providerHosted: 'SANDBOX_HOSTED',
    origins: [],
    deskOrigins: [DESK],
    merchantKeys: [{ id: 'web', sha256: sha256(key), scopes: SCOPES.filter((scope) => scope !== 'moto') }],
  };
}

/** The proxy's settings, in `.dev.vars` form. */
export function environment(upstream: Upstream, publicUrl: string, webhookUrl: string = WEBHOOK_URL): string {
  const webhooks = [{ url: webhookUrl, secret: WEBHOOK_SECRET }];
  const aurora = { ...hotel('Hotel Aurora', KEYS.aurora, upstream), webhooks };
  const scopes = ['checkout', 'events', 'properties', 'audit'];
  const alpine = {
    displayName: 'Alpine Booking',
    livemode: false,
    keys: [{ id: 'all', sha256: sha256(KEYS.platform), scopes, properties: ['*'] }],
  };
  return [
    `PUBLIC_URL='${publicUrl}'`,
    `SEALING_KEYS='${Buffer.alloc(32, 'golden').toString('base64')}'`,
    `PROPERTY_AURORA='${JSON.stringify(aurora)}'`,
    `PLATFORM_ALPINE='${JSON.stringify(alpine)}'`,
    '',
  ].join('\n');
}
