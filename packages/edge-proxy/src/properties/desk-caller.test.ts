import { beforeAll, expect, test, vi } from 'vitest';
import { sha256Hex } from '../http/hash.ts';
import type { InvalidProperty, Property } from './configured-properties.ts';
import { findDesk } from './desk-caller.ts';
import type { StoredDeskSession } from './desk-session.ts';
import { parsePlatforms } from './platforms.ts';

const ID = 'ds_01JZ8M4Q9T6V2X3Y5A7B8C9D0E';
const SECRET = `${ID}_aurora_1_${'-_x'.repeat(14)}y`;
const OFFICE = 'https://office.example';
const NOW = Date.parse('2026-06-01T12:00:00Z');
const KEY = { id: 'office', sha256: 'key', scopes: ['desk', 'read'] } as const;

let hash: string;
beforeAll(async () => {
  hash = await sha256Hex(SECRET);
});

interface Changes {
  readonly secret?: string;
  readonly property?: Partial<Property | InvalidProperty> | null;
  readonly session?: Partial<StoredDeskSession> | null;
  readonly isOurs?: boolean;
  readonly headers?: Record<string, string>;
  readonly page?: string;
}

/** Who calls, and what was asked to find out. */
async function call({ secret = SECRET, property = {}, session = {}, isOurs = true, headers, page }: Changes = {}) {
  const found = { invalid: false, id: 'aurora_1', isRemoved: false, merchantKeys: [KEY], deskOrigins: [OFFICE] };
  const stored = {
    ...{ id: ID, person: { id: 'emp-42' }, origin: OFFICE, features: ['read', 'reverse'], maxReversal: null, hash },
    ...{ keyHash: 'key', by: { key: 'office' }, createdAt: NOW - 60_000, expiresAt: NOW + 1, revokedAt: null },
  };
  const asked: unknown[] = [];
  const outcome = await findDesk(
    { secret, headers: new Headers(headers ?? { origin: OFFICE }), page, isUse: true, logFields: {} },
    {
      properties: {
        find: vi.fn(async (id) => {
          asked.push(['property', id]);
          return property === null ? undefined : { ...found, ...property };
        }),
      } as never,
      platforms: parsePlatforms({ PLATFORM_GROUP: JSON.stringify({ keys: [{ sha256: 'of-the-group' }] }) }),
      deskSessions: {
        isOurs: async (id) => id === ID && isOurs,
        find: async (...which) => {
          asked.push(['session', ...which]);
          return (session && { ...stored, ...session }) as StoredDeskSession | null;
        },
        noteUse: async (...which) => void asked.push(['use', ...which]),
      },
      now: () => NOW,
    },
  ).then(
    ({ key, desk }) => ({ key: key.id, desk }),
    ({ status, details }: { status: number; details: { detail: string; param: string } }) => ({ status, ...details }),
  );
  return { outcome, asked };
}

test('a secret names the session and the hotel, whose ledger has the rest', async () => {
  const { outcome, asked } = await call();
  const expiresAt = '2026-06-01T12:00:00.001Z';
  const desk = { id: ID, person: { id: 'emp-42' }, features: ['read'], maxReversal: null, expiresAt };
  expect(outcome).toEqual({ key: 'office', desk });
  expect(asked).toEqual([
    ['property', 'aurora_1'],
    ['session', 'aurora_1', ID],
  ]);
});

test.each([
  ['other text before it', { secret: `x${SECRET}` }, 0],
  ['other text behind it', { secret: `${SECRET}x` }, 0],
  ['no hotel in it', { secret: `${ID}_${'x'.repeat(43)}` }, 0],
  ['an id that nobody made', { isOurs: false }, 0],
  ['a hotel that is not there', { property: null }, 1],
  ['a hotel that was removed', { property: { isRemoved: true } }, 1],
  ['a hotel that was removed long ago', { property: { invalid: true, isRemoved: true } }, 1],
  ['an id that its hotel does not have', { session: null }, 2],
  ['random bits of another session', { session: { hash: '0'.repeat(64) } }, 2],
] satisfies [string, Changes, number][])('one with %s is wrong', async (_, changes, questions) => {
  const { outcome, asked } = await call(changes);
  expect(outcome).toEqual({ status: 401, detail: 'This desk session is wrong', param: 'Authorization' });
  expect(asked).toHaveLength(questions);
});

test.each([
  ['was revoked', { session: { revokedAt: NOW - 1 } }],
  ['expired at 2026-06-01T12:00:00.000Z', { session: { expiresAt: NOW } }],
  ['has ended with its key', { session: { keyHash: 'other' } }],
] satisfies [string, Changes][])('one that %s is told so', async (why, changes) => {
  expect((await call(changes)).outcome).toMatchObject({ status: 401, detail: `This desk session ${why}` });
});

test('one in the cookie of a page may no more than its key, either', async () => {
  const page = { isOpen: true, endsAt: NOW + 1 };
  const inCookie = (changes: Partial<StoredDeskSession>) => call({ page: 'aurora_1', session: { page, ...changes } });
  expect((await inCookie({})).outcome).toMatchObject({ desk: { features: ['read'] } });
  expect((await inCookie({ keyHash: 'other' })).outcome).toMatchObject({ status: 401 });
});

test('one whose platform cannot be used has not ended, and goes on once that is corrected', async () => {
  const { outcome } = await call({ session: { keyHash: 'of-the-group' } });
  expect(outcome).toMatchObject({ status: 503, param: 'PLATFORM_GROUP' });
});

const FOREIGN = 'This desk session is for another origin';
test.each([
  ['its page', { origin: OFFICE }, undefined],
  ['its own origin', { 'sec-fetch-site': 'same-origin' }, undefined],
  ['another origin', { origin: 'https://office.example.evil.test' }, FOREIGN],
  [
    'another origin that says it is the same',
    { origin: 'https://evil.test', 'sec-fetch-site': 'same-origin' },
    FOREIGN,
  ],
  ['no page', {}, FOREIGN],
  ['an address that somebody typed', { 'sec-fetch-site': 'none' }, FOREIGN],
])('a call from %s', async (_, headers, detail) => {
  const { outcome } = await call({ headers: headers as Record<string, string> });
  expect(outcome).toMatchObject(detail === undefined ? { key: 'office' } : { status: 403, detail, param: 'Origin' });
});

test('an origin that the hotel has taken out is refused, however the page calls', async () => {
  for (const headers of [undefined, { 'sec-fetch-site': 'same-origin' }]) {
    const { outcome } = await call({ property: { deskOrigins: [] }, ...(headers && { headers }) });
    const detail = 'The origin of this desk session is no longer one of the property’s deskOrigins';
    expect(outcome).toMatchObject({ status: 403, detail, param: 'Origin' });
  }
});

test('of a hotel that cannot be read nobody but a desk of it is told', async () => {
  const property = { invalid: true, field: 'timeZone', message: 'must be there' } as const;
  expect((await call({ property })).outcome).toMatchObject({ status: 503, param: 'timeZone' });
  expect((await call({ property, session: null })).outcome).toMatchObject({ status: 401 });
});
