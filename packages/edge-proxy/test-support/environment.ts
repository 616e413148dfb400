/** The hotels of the tests. Keys are `sk_test_<hotel>`; their hashes are written out so that nothing is computed twice. */

import { SCOPES } from '@innkeep/core/contract';

/** Merchant keys in the clear. */
export const KEYS = {
  aurora: 'sk_test_aurora',
  auroraEvents: 'sk_test_aurora_events',
  borealis: 'sk_test_borealis',
  broken: 'sk_test_broken',
  valleyInn: 'sk_test_valley_inn',
  valleyOffice: 'sk_test_valley_office',
} as const;

const HASHES: Readonly<Record<keyof typeof KEYS, string>> = {
  aurora: '631a2d6e5280c0aa26b7acc80100fd665fb87458fd8adc29191d10efeb847863',
  auroraEvents: '6f430e740640f8383edd8866258f693b69559389d9b74a9d61ac1fa5726f0f16',
  borealis: 'a8045636ce73b6a6648701af83800a9eef2c2f068f75408cb0337d3232a1dd13',
  broken: '9065bee23b4bc38fcd16c536f133e973d70752b2c6d10853b7c8822f59174c17',
  valleyOffice: 'bee81062f5637bfcc46d11ce4c23a78e89dd6ee1c1e409f6521e8c1048cbd5ff',
  valleyInn: '500b8033a8443371de1cb7847217e15a0d541573bd314ef75dfe01461a8e2797',
};

/** A webhook secret and the one it replaces. */
export const WEBHOOK_SECRETS = [
  'whsec_bmV3LXNlY3JldC1vZi10aGUtYXVyb3Jh',
  'whsec_b2xkLXNlY3JldC1vZi10aGUtYXVyb3Jh',
] as const;

/** The key by which the tests' worker seals. */
export const SEALING_KEY = 'c2VhbGluZy1rZXktbWFya2VyLW9mLXRoZS10ZXN0cyE=';

/** Settings of a hotel whose upstream is the fake. */
export const AURORA = {
  displayName: 'Hotel Aurora',
  livemode: false,
  baseUrl: 'https://pay.test/api',
  customerId: '1234',
  username: 'aurora-user',
  password: 'aurora-password-marker',
  hotelID: '1',
  hotelIDType: 'TEST_PMS',
  user: 'web',
  timeZone: 'Europe/Vienna',
  dayStartsAt: '04:00',
  amountUnit: 'minor',
  providerDirect: 'TEST_DIRECT',
  providerHosted: 'TEST_HOSTED',
  allowedOrigins: [],
  viewOrigins: ['https://view.test'],
  origins: ['https://aurora.test', 'http://localhost:4000'],
  deskOrigins: ['https://office.aurora.test'],
  merchantKeys: [
    { id: 'web', sha256: HASHES.aurora, scopes: SCOPES.filter((scope) => scope !== 'moto') },
    { id: 'books', sha256: HASHES.auroraEvents, scopes: ['events'] },
  ],
  webhooks: [{ url: 'https://hooks.aurora.test/innkeep', secret: [...WEBHOOK_SECRETS] }],
  maxAmount: { EUR: 500_000, JPY: 100_000 },
  surcharge: true,
  acceptedBrands: ['visa', 'mastercard'],
  gateway: {
    apiKey: 'gateway-key-marker-of-aurora-0123456789A',
    productId: { value: 'P-1', in: 'header', name: 'x-product' },
    allow: ['RMS/keepalivereq', 'RMS/roomreq'],
  },
};

/** A second hotel, on another account, without surcharges and without webhooks. */
export const BOREALIS = {
  ...AURORA,
  displayName: 'Hotel Borealis',
  livemode: true,
  customerId: '5678',
  username: 'borealis-user',
  password: 'borealis-password-marker',
  amountUnit: 'major',
  origins: ['https://borealis.test'],
  merchantKeys: [
    {
      id: 'web',
      sha256: HASHES.borealis,
      scopes: ['read', 'checkout', 'charges', 'reversals', 'resolutions', 'events'],
    },
  ],
  webhooks: [],
  gateway: undefined,
  maxAmount: undefined,
  surcharge: false,
  retentionDays: 800,
  keepCardsDays: 1_000,
};

/** A hotel with a typing mistake. */
const BROKEN = {
  ...AURORA,
  merchantKeys: [{ id: 'web', sha256: HASHES.broken, scopes: ['checkout'] }],
  origins: ['https://broken.test'],
  timeZone: 'Europe/Atlantis',
};

/** Keys of a platform: for every hotel, for those whose ids begin with `alpine_`, and one that may not look after hotels. */
export const PLATFORM_KEYS = {
  all: `pk_test_alpine_${'a'.repeat(40)}`,
  some: `pk_test_alpine_${'b'.repeat(40)}`,
  payments: `pk_test_alpine_${'c'.repeat(40)}`,
} as const;

const ALPINE = {
  displayName: 'Alpine Booking',
  livemode: true,
  keys: [
    {
      id: 'all',
      sha256: '24e6b9b5c02f8629dd2bb3b83c2f9182d269272fd2b585822318a992f092a009',
      scopes: ['checkout', 'charges', 'reversals', 'gateway', 'properties'],
      properties: ['*'],
    },
    {
      id: 'some',
      sha256: 'e8b1ccaf318c712ba9c65a7746fbc9d4b568b9fff698aadb6a97cf53c237384c',
      scopes: ['checkout', 'properties', 'audit'],
      properties: ['alpine_*'],
    },
    {
      id: 'payments',
      sha256: 'b95fd9a290887d41ff3995d170a2e95652ba69088d2ab4bd92be4bdee6f61cf4',
      scopes: ['checkout'],
      properties: ['aurora', 'alpine_*'],
    },
  ],
};

/** Keys of a second platform, which reads events: of all its hotels, of some, and one that may not read them. */
export const VALLEY_KEYS = {
  all: `pk_test_valley_${'a'.repeat(40)}`,
  some: `pk_test_valley_${'b'.repeat(40)}`,
  checkout: `pk_test_valley_${'c'.repeat(40)}`,
} as const;

const VALLEY = {
  displayName: 'Valley Booking',
  livemode: false,
  keys: [
    {
      id: 'all',
      sha256: 'd0f0f1b5834b2f96797bf1e39e2da4b3abd45ceb72264a6d2681ceaf912a93c0',
      scopes: ['checkout', 'charges', 'reversals', 'events', 'properties'],
      // A live hotel, which this platform has nothing to do with.
      properties: ['valley_*', 'borealis'],
    },
    {
      id: 'some',
      sha256: '88f9637d30f2a2f0885ea5a783022f0e70789b929a4d30e7d7044cc060c31cab',
      scopes: ['events'],
      properties: ['valley_inn', 'valley_north_*'],
    },
    {
      id: 'checkout',
      sha256: '0bad18f98d545f52bf7045cb876d57c53b3b662cee109631455fdd1edd6818cd',
      scopes: ['checkout'],
      properties: ['valley_*'],
    },
  ],
  webhooks: [
    { url: 'https://hooks.valley.test/all', secret: WEBHOOK_SECRETS[1] },
    { url: 'https://hooks.valley.test/north', secret: WEBHOOK_SECRETS[1], properties: ['valley_north_*'] },
  ],
};

/** A hotel of that platform whose configuration is a secret. */
const VALLEY_INN = {
  ...AURORA,
  displayName: 'Valley Inn',
  retentionDays: 30,
  merchantKeys: [
    { id: 'web', sha256: HASHES.valleyInn, scopes: ['checkout', 'events'] },
    { id: 'office', sha256: HASHES.valleyOffice, scopes: SCOPES.filter((scope) => scope !== 'moto') },
  ],
};

/** What the tests' worker is started with. */
export const TEST_ENVIRONMENT = {
  PUBLIC_URL: 'https://proxy.test',
  SEALING_KEYS: SEALING_KEY,
  PROPERTY_AURORA: JSON.stringify(AURORA),
  PROPERTY_BOREALIS: JSON.stringify(BOREALIS),
  PROPERTY_BROKEN: JSON.stringify(BROKEN),
  PROPERTY_VALLEY_INN: JSON.stringify(VALLEY_INN),
  PLATFORM_ALPINE: JSON.stringify(ALPINE),
  PLATFORM_VALLEY: JSON.stringify(VALLEY),
};
