import {
  PropertyListSchema,
  PropertyStatusSchema,
  type WebhookEndpoint,
  WebhookEndpointListSchema,
} from '@innkeep/core/contract';
import { expect, it } from 'vitest';
import { example } from '../../test-support/example.ts';
import { fakeIo } from '../../test-support/fake-io.ts';
import { run } from '../program/run.ts';
import { capacityFinding, countOf, findingsOf, type HotelStatus } from './hotel-status.ts';

const NONE = { stored: 5, unknown: 0, waiting: 0 };
const QUIET = example(PropertyStatusSchema, {
  ...{ checkoutSessions: NONE, charges: NONE, reversals: NONE },
  webhooks: { waiting: 0, oldestWaitingAt: null, paused: 0, disabled: 0 },
});
const PAUSED = { status: 'paused', waiting: 7, pausedSince: '2026-09-02T08:00:01.000Z' } as const;
const [ENDPOINT] = example(WebhookEndpointListSchema).data.map((active) => ({ ...active, ...PAUSED })) as [
  WebhookEndpoint,
];
const hotel = (changes: Partial<HotelStatus> = {}): HotelStatus => ({
  property: 'aurora',
  figures: QUIET,
  endpoints: [],
  problem: null,
  ...changes,
});

it('finds nothing in a hotel that is well, however much waits', () => {
  const waiting = { ...QUIET, checkoutSessions: { ...NONE, waiting: 12 } };
  expect(findingsOf(hotel({ figures: waiting }), '')).toEqual([]);
  expect(countOf(waiting, 'waiting')).toBe(12);
});

it('names what is unknown, with the command that shows which', () => {
  const figures = { ...QUIET, checkoutSessions: { ...NONE, unknown: 2 }, reversals: { ...NONE, unknown: 1 } };
  expect(findingsOf(hotel({ figures }), ' --property aurora')).toEqual([
    'unknown sessions: 2. See which: innkeep session list --status unknown --property aurora',
    'unknown reversals: 1. See which: innkeep reversal list --status unknown --property aurora',
  ]);
  expect(countOf(figures, 'unknown')).toBe(3);
});

it('names webhooks that are paused or disabled', () => {
  const disabled = { ...ENDPOINT, status: 'disabled' as const, disabledSince: '2026-09-03T08:00:00.000Z' };
  const [paused, gone] = findingsOf(hotel({ endpoints: [ENDPOINT, disabled] }), '');
  expect(paused).toMatch(/^webhook hotel\.example: paused since 2026-09-02T08:00:01\.000Z, events waiting: 7;/);
  expect(gone).toMatch(/^webhook hotel\.example: disabled since 2026-09-03.*answered 410/);
});

it.each([
  ['an hour', '11:00:00', []],
  [
    'longer',
    '10:59:59',
    [
      'webhook hotel.example: does not accept every event; events waiting: 1; last failure: 400',
      'webhook other.example: does not accept every event; events waiting: 2; last failure: no answer',
    ],
  ],
])('names webhooks that have an event wait for %s, though none is paused', async (_for, time, findings) => {
  const webhooks = { waiting: 3, oldestWaitingAt: `2026-06-01T${time}Z`, paused: 0, disabled: 0 };
  const having = { ...ENDPOINT, status: 'active', pausedSince: null };
  const data = [
    { ...having, waiting: 1, lastFailureStatus: 400 },
    { ...having, host: 'other.example', waiting: 2, lastFailureStatus: null },
    { ...having, host: 'third.example', waiting: 0 },
  ];
  const io = fakeIo({
    env: { INNKEEP_ENDPOINT: 'https://pay.hotel.example', INNKEEP_SECRET_KEY: 'sk_test_1' },
    fetch: async (input) =>
      Response.json(new Request(input).url.endsWith('/status') ? { ...QUIET, webhooks } : { object: 'list', data }),
  });
  expect(await run(['status', '--json'], io)).toBe(findings.length === 0 ? 0 : 1);
  expect(JSON.parse(io.stdout()).data[0].findings).toEqual(findings);
});

it.each([
  [[], 'The key is for no hotel that there is.', 0, null],
  [[0], '1 hotel: all is well.', 0, null],
  [[0, 0], '2 hotels: all is well.', 0, null],
  [[1], '1 of 1 hotel needs a look.', 1, null],
  [[0, 2, 1], '2 of 3 hotels need a look.', 1, null],
  // The server has no room.
  [[0, 0], '0 of 2 hotels need a look.', 1, 1],
] as const)('sums up hotels with %j unknown: %s', async (unknown, summary, exitCode, maxPending) => {
  const [summaryOfOne] = example(PropertyListSchema).data;
  const list = { ...example(PropertyListSchema), data: unknown.map((_, at) => ({ ...summaryOfOne, id: `h${at}` })) };
  const io = fakeIo({
    env: { INNKEEP_ENDPOINT: 'https://pay.hotel.example', INNKEEP_PLATFORM_KEY: 'pk_test_1' },
    fetch: async (input, init) => {
      const { url, headers } = new Request(input, init);
      if (!url.endsWith('/status')) return Response.json(list);
      const charges = { ...NONE, unknown: unknown[Number(headers.get('innkeep-property')?.slice(1))] };
      const checkoutSessions = { ...NONE, waiting: 1 };
      return Response.json({ ...QUIET, charges, checkoutSessions, server: { maxPending } });
    },
  });
  expect([await run(['status'], io), io.stderr()]).toEqual([exitCode, `${summary}\n`]);
});

const ledger = (status: 'nearly_full' | 'full') => ({ ...QUIET, ledger: { ...QUIET.ledger, status, percent: 71.2 } });
const upstream = (status: 'down' | 'refused' | 'refuses_starts' | 'unknown') => ({ ...QUIET, upstream: { status } });

it.each<[finding: string, Partial<HotelStatus>]>([
  ['ledger: 71.2 %, nearly full', { figures: ledger('nearly_full') }],
  ['ledger: 71.2 %, full, so new charges are refused', { figures: ledger('full') }],
  ['payment service: down; charges are refused until it answers', { figures: upstream('down') }],
  [
    'payment service: its state cannot be read, so probably nobody can pay; look for errors in the proxy’s log',
    { figures: upstream('unknown') },
  ],
  [
    'payment service: refuses the login, so nobody can pay; correct the username or the password',
    { figures: upstream('refused') },
  ],
  [
    'payment service: takes the login but refused the last starts, so probably nobody can pay; check customerId and baseUrl, and ask whether the account is suspended',
    { figures: upstream('refuses_starts') },
  ],
  ['not served: timeZone is missing', { figures: null, problem: 'not served: timeZone is missing' }],
])('finds “%s”', (finding, changes) => {
  expect(findingsOf(hotel(changes), '')).toEqual([finding]);
});

it('says when the hotels of a server come near what it can poll at once', () => {
  const having = (maxPending: number | null, waiting: number): HotelStatus =>
    hotel({ figures: { ...QUIET, server: { maxPending }, checkoutSessions: { ...NONE, waiting } } });
  expect(capacityFinding([having(1_000, 300), having(1_000, 399)])).toBeUndefined();
  expect(capacityFinding([having(1_000, 300), having(1_000, 400)])).toMatch(
    /^server: 700 .* about 1000; raise .*ulimit -Hn/,
  );
  expect(capacityFinding([having(null, 9_999)])).toBeUndefined();
  expect(capacityFinding([having(1_000, 700)])).toMatch(
    /unless most are only open: innkeep session list --status open$/,
  );
  expect(capacityFinding([having(12_000, 10_000), having(12_000, 5)])).toMatch(
    /^server: at least 10005 open or pending/,
  );
});
