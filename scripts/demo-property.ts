// Prevents: a demo hotel that is configured in one way on this machine and in another way where it is deployed.
import { createHash, randomBytes } from 'node:crypto';

/** Every secret of the demo. None of them is worth anything outside of it. */
export interface DemoSecrets {
  readonly username: string;
  readonly password: string;
  /** Of the gateway; 40 characters. */
  readonly apiKey: string;
  readonly merchantKey: string;
  /** Has the scope `moto` and no other. */
  readonly motoKey: string;
  /** `whsec_…`, what the proxy signs its webhooks with. */
  readonly webhookSecret: string;
}

/** New secrets, none of them guessable. */
export function makeDemoSecrets(): DemoSecrets {
  return {
    // Random, too: the wire panel redacts it wherever it occurs, and a word could occur by chance.
    username: `aurora-${randomBytes(6).toString('hex')}`,
    password: randomBytes(24).toString('base64url'),
    apiKey: randomBytes(20).toString('hex'),
    merchantKey: `sk_test_${randomBytes(24).toString('base64url')}`,
    motoKey: `sk_test_${randomBytes(24).toString('base64url')}`,
    webhookSecret: `whsec_${randomBytes(24).toString('base64')}`,
  };
}

/** What the proxy is told about the demo hotel: the value of `PROPERTY_AURORA`, before it becomes JSON. */
export function demoProperty(input: {
  readonly secrets: DemoSecrets;
  readonly demoUrl: string;
  readonly upstreamUrl: string;
}): Record<string, unknown> {
  const { username, password, apiKey, merchantKey, motoKey, webhookSecret } = input.secrets;
  const sha256 = (key: string): string => createHash('sha256').update(key).digest('hex');
  return {
    displayName: 'Hotel Aurora',
    livemode: false,
    baseUrl: input.upstreamUrl,
    customerId: '1234',
    username,
    password,
    hotelID: '1',
    hotelIDType: 'SANDBOX_PMS',
    user: 'web',
    timeZone: 'Europe/Vienna',
    amountUnit: 'minor',
    providerDirect: 'SANDBOX_DIRECT',
    providerHosted: 'SANDBOX_HOSTED',
    origins: [input.demoUrl],
    deskOrigins: [input.demoUrl],
    merchantKeys: [
      {
        id: 'demo',
        sha256: sha256(merchantKey),
        scopes: ['read', 'checkout', 'charges', 'reversals', 'resolutions', 'tokens', 'gateway', 'events', 'desk'],
      },
      { id: 'desk', sha256: sha256(motoKey), scopes: ['moto'] },
    ],
    webhooks: [{ url: `${input.demoUrl}/webhooks/innkeep`, secret: webhookSecret }],
    gateway: { apiKey, apiKeyIn: 'header', allow: ['RMS/keepalivereq', 'RMS/roomreq'] },
    maxAmount: { EUR: 1_000_000 },
    surcharge: true,
    moto: true,
  };
}
