import { expect, test } from 'vitest';
import { ACTOR } from '../../test-support/records.ts';
import { OPEN, PENDING, usePendingPage, withSession } from '../../test-support/session-parts.ts';
import { toTimestamp } from '../http/timestamp.ts';
import { addLink, sessionOfLink } from './payment-links.ts';

usePendingPage();
const NO_SUCH_PAGE = { ok: false, code: 'not_found', detail: 'There is nothing at this address' };
const LINK = { hash: 'link', key: null };

test.each([
  ['that nobody has started', OPEN],
  ['that is being paid', PENDING],
])('a link leads to a session %s', async (_, record) => {
  await withSession(record, async ({ store }) => {
    const expiresAt = toTimestamp(record.expiresAt);
    expect(addLink(store, record, LINK, ACTOR)).toEqual({ ok: true, value: { expiresAt, isReplay: false } });
    expect(sessionOfLink(store, 'link')).toEqual({ ok: true, value: record });
    expect(sessionOfLink(store, 'another')).toEqual(NO_SUCH_PAGE);
    store.clearLinks();
    expect(sessionOfLink(store, 'link')).toEqual(NO_SUCH_PAGE);
  });
});

test.each(['succeeded', 'unknown', 'expired'] as const)('none is made for a session that is %s', async (state) => {
  const record = { ...OPEN, state };
  await withSession(record, async ({ store }) => {
    const refusal = { ok: false, code: 'session_not_open', resource: 'cs_1' };
    expect(addLink(store, record, LINK, ACTOR)).toMatchObject(refusal);
    expect(sessionOfLink(store, 'link')).toEqual(NO_SUCH_PAGE);
  });
});

test('the same call makes the same link, also once the session was paid, and another caller another one', () =>
  withSession(OPEN, async ({ store }) => {
    const made = { hash: 'link', key: 'link key' };
    addLink(store, OPEN, made, ACTOR);
    const replay = { ok: true, value: { isReplay: true } };
    expect(addLink(store, { ...OPEN, state: 'succeeded' }, made, ACTOR)).toMatchObject(replay);
    const fresh = { ok: true, value: { isReplay: false } };
    expect(addLink(store, OPEN, { ...made, hash: 'another' }, ACTOR)).toMatchObject(fresh);
    for (const hash of ['another', 'link']) {
      expect(addLink(store, OPEN, { ...made, hash }, ACTOR)).toMatchObject(replay);
      expect(sessionOfLink(store, hash)).toEqual({ ok: true, value: OPEN });
    }
  }));

test('no link of before is made again once the session was opened anew', () =>
  withSession(OPEN, async ({ store }) => {
    const made = { hash: 'link', key: 'link key', renewals: 0 };
    addLink(store, OPEN, made, ACTOR);
    store.renew(0);
    expect(addLink(store, OPEN, made, ACTOR)).toMatchObject({ value: { isReplay: false, renewals: 1 } });
    // From a version that knows of no renewals.
    expect(addLink(store, OPEN, { ...made, renewals: undefined }, ACTOR)).toMatchObject({ value: { isReplay: true } });
    expect(sessionOfLink(store, 'link')).toEqual(NO_SUCH_PAGE);
    const { expiresAt } = OPEN;
    const next = addLink(store, OPEN, { ...made, hash: 'next', renewals: 1 }, ACTOR);
    expect(next).toEqual({ ok: true, value: { expiresAt: toTimestamp(expiresAt), isReplay: false } });
    expect(sessionOfLink(store, 'next')).toEqual({ ok: true, value: OPEN });
  }));
