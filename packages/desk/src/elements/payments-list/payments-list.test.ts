import { beforeEach, expect, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { EUR, json, lineOf, listed, payment, problem, SECRET } from '../../../test-support/fake-desk.ts';
import {
  all,
  button,
  click,
  fake,
  focused,
  mount,
  one,
  press,
  settle,
  test,
  textOf,
} from '../../../test-support/fixture.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: new Date('2026-11-26T13:00:00Z') });
});

/** Lets so much time pass, and everything that it brings. */
async function pass(seconds: number): Promise<void> {
  vi.advanceTimersByTime(seconds * 1000);
  await settle();
}

/** Types into the search, and waits until it has been looked for. */
async function typeSearch(list: Parameters<typeof all>[0], text: string): Promise<HTMLInputElement> {
  const search = one<HTMLInputElement>(list, '[type=search]');
  search.value = text;
  search.dispatchEvent(new Event('input'));
  await pass(1);
  return search;
}

const queries = (): object[] => fake.at('payments').map(({ query: { limit: _, ...query } }) => query);
const badges = (list: Parameters<typeof all>[0]): (string | null)[] =>
  all(list, '.lines:not(.urgent *) .badge').map((each) => each.textContent);

function hide(isHidden: boolean): void {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden);
  document.dispatchEvent(new Event('visibilitychange'));
}

test('shows the hotel’s day with totals, and first what needs a person, whatever day it is of', async () => {
  const list = await mount('payments-list');
  expect(queries()).toEqual([{ day: 'today' }, { status: 'unknown' }]);
  expect(textOf(list)).toContain('Needs attention Nov 26, 2026, 9:00 AM RES-2000');
  expect(textOf(list)).toContain('9:02 AM RES-1234');
  expect(textOf(list)).toMatch(/EUR€330\.00 1 × €0\.00 €330\.00/);
  expect(badges(list)).toEqual(['Paid', 'Unknown', 'Not paid yet', 'Card on file']);
});

test('goes through days, takes a range and a state, and searches in all days', async () => {
  const list = await mount('payments-list');
  fake.calls.length = 0;
  await click(list, 'Previous day');
  const until = all<HTMLInputElement>(list, '[type=date]')[1];
  if (until) until.value = '2026-11-27';
  until?.dispatchEvent(new Event('change'));
  await settle();
  const choices = ['reversed', 'card'];
  for (const [nth, select] of all<HTMLSelectElement>(list, 'select').entries()) {
    select.value = choices[nth] ?? '';
    select.dispatchEvent(new Event('change'));
    await settle();
  }
  await typeSearch(list, 'res-12');
  expect(queries().filter((query) => !('status' in query) || 'from' in query)).toEqual([
    { day: '2026-11-25' },
    { from: '2026-11-25', to: '2026-11-28' },
    { from: '2026-11-25', to: '2026-11-28', status: 'reversed' },
    { from: '2026-11-25', to: '2026-11-28', status: 'reversed', kind: 'card' },
    { q: 'res-12' },
  ]);
  expect(textOf(list)).toContain('Results for “res-12”');
  expect(all(list, '.line')).toHaveLength(1);
  await click(list, 'Today');
  expect(queries().at(-2)).toEqual({ day: 'today', status: 'reversed', kind: 'card' });
});

test('takes a date that is typed when it is complete, and leaves the other one alone', async () => {
  const list = await mount('payments-list');
  const [from, until] = all<HTMLInputElement>(list, '[type=date]');
  if (!from || !until) throw new Error('No dates');
  fake.calls.length = 0;
  from.focus();
  await userEvent.keyboard('11202026');
  expect([from.value, queries()]).toEqual(['2026-11-20', []]);
  await userEvent.keyboard('{Enter}');
  await settle();
  until.focus();
  await userEvent.keyboard('1124');
  await settle();
  until.blur();
  await settle();
  expect([from.value, until.value]).toEqual(['2026-11-20', '2026-11-24']);
  expect(queries().filter((query) => !('status' in query))).toEqual([
    { from: '2026-11-20', to: '2026-11-27' },
    { from: '2026-11-20', to: '2026-11-25' },
  ]);
  until.focus();
  await userEvent.keyboard('{Backspace}');
  until.blur();
  expect(until.value).toBe('2026-11-24');
});

test('says aloud what it shows, also when it is as much as before', async () => {
  const list = await mount('payments-list', { filter: { q: 'RES-1' } });
  const said: (string | null)[] = [];
  const live = one(list, '.live');
  new MutationObserver(() => said.push(live.textContent)).observe(live, {
    childList: true,
    subtree: true,
    characterData: true,
  });
  for (const filter of [{ q: 'RES-2' }, { from: '2026-11-25' }, { from: '2026-11-25', kind: 'payment' }] as const) {
    list.filter = filter;
    await settle();
  }
  expect(said).toEqual([
    '',
    'Results for “RES-2”. Payments: 1',
    '',
    'Wed, November 25, 2026. Payments: 4',
    '',
    'Wed, November 25, 2026. Payments: 4',
  ]);
});

test('shows more, and keeps it when something changes, but not of another day', async () => {
  fake.intercept = ({ path, query }) =>
    path === 'payments' && query.day ? listed([], { nextCursor: query.cursor ? null : 'next' }) : undefined;
  const list = await mount('payments-list');
  expect(one(list, '[role=status]').textContent).toBe('Today. Payments: 0');
  expect(textOf(list)).not.toContain('No payments to show.');
  expect(await click(list, 'Show more')).toContain('No payments to show.');
  expect(queries().at(-1)).toEqual({ day: 'today', cursor: 'next' });
  fake.tell('cs_01J00000000000000000000001');
  await pass(5);
  expect(queries().at(-1)).toEqual({ day: 'today', cursor: 'next' });
  expect(await click(list, 'Previous day')).not.toContain('No payments to show.');
});

test('goes on at the first line that has come when more is shown, and says how many there are', async () => {
  const linesOf = (from: number, length: number): object[] =>
    Array.from({ length }, (_, nth) => lineOf(payment({ reference: `Q-${from + nth}` }, from + nth)));
  fake.intercept = ({ path, query }) => {
    if (path !== 'payments' || !query.day) return undefined;
    return query.cursor ? listed(linesOf(12, 3)) : listed(linesOf(1, 11), { nextCursor: 'next' });
  };
  const list = await mount('payments-list');
  button(list, 'Show more').focus();
  await click(list, 'Show more');
  expect(one(list, '[role=status]').textContent).toBe('Payments: 14');
  expect(focused()?.textContent).toContain('Q-12');
});

test.each(['ltr', 'rtl'])('marks the chosen line by a border, which every system’s colors show, in %s', async (dir) => {
  const list = await mount('payments-list', { locale: dir === 'rtl' ? 'ar' : 'en', selected: payment().id });
  const [chosen, other] = all(list, '.lines:not(.urgent *) .line').map((line) => getComputedStyle(line));
  expect([chosen?.borderInlineStartWidth, other?.borderInlineStartWidth]).toEqual(['3px', '0px']);
  expect(chosen?.boxShadow).toBe('none');
});

test('says what the totals are of when the list shows only a part of it', async () => {
  const list = await mount('payments-list');
  expect(one(list, 'caption').textContent).toBe('Totals');
  list.filter = { status: 'succeeded' };
  await settle();
  expect(one(list, 'caption').textContent).toBe('Totals · Status: All · Type: All');
});

test('says that a search may have found more than it shows', async () => {
  const list = await mount('payments-list', { filter: { q: 'res-' } });
  expect(textOf(list)).not.toContain('narrow your search');
  fake.payments = Array.from({ length: 50 }, (_, nth) => payment({}, nth + 1));
  list.filter = { q: 'res-1' };
  await settle();
  expect(textOf(list)).toContain('These are the first 50 results. If yours isn’t here, narrow your search.');
});

test('exports what is shown, as the language’s spreadsheets read it', async () => {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download, this.href);
  });
  const list = await mount('payments-list', {
    locale: 'de',
    filter: { from: '2026-11-20', until: '2026-11-21', status: 'succeeded' },
  });
  await click(list, 'CSV exportieren');
  expect(fake.at('payments.csv')[0]?.query).toEqual({
    from: '2026-11-20',
    to: '2026-11-22',
    status: 'succeeded',
    separator: 'semicolon',
  });
  expect(saved).toEqual(['payments-2026-11-20-2026-11-21.csv', expect.stringMatching(/^blob:/)]);
  list.locale = 'en';
  fake.intercept = ({ path }) => (path === 'payments.csv' ? problem(403, 'forbidden') : undefined);
  await settle();
  await click(list, 'Export CSV');
  expect(fake.at('payments.csv')[1]?.query.separator).toBe('comma');
  expect(textOf(list)).toContain('You don’t have permission to do this.');
  fake.intercept = ({ path }) =>
    path === 'payments.csv' ? problem(400, 'invalid_request', { param: 'to' }) : undefined;
  expect(await click(list, 'Export CSV')).toContain('The limit is 366 days.');
});

test('exports what the spreadsheets of the device’s language read, where the desk does not speak it', async () => {
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  vi.spyOn(Number.prototype, 'toLocaleString').mockImplementation(function (this: number, tag = 'fr-FR', options) {
    return new Intl.NumberFormat(tag, options).format(this);
  });
  await click(await mount('payments-list'), 'Export CSV');
  expect(fake.at('payments.csv')[0]?.query.separator).toBe('semicolon');
});

test.each([
  ['en', 'Export CSV', '"reference","amount"\r\n'],
  ['ar', 'تصدير CSV', '"reference","amount"\r\n'],
  ['de', 'CSV exportieren', '\ufeff"reference";"amount"\r\n'],
])('marks a table of %s as what Excel takes for UTF-8, once', async (locale, button, answered) => {
  const made = vi.spyOn(URL, 'createObjectURL');
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  fake.intercept = ({ path }) =>
    path === 'payments.csv' ? new Response(answered, { headers: { 'content-type': 'text/csv' } }) : undefined;
  await click(await mount('payments-list', { locale }), button);
  const file = (await vi.waitUntil(() => made.mock.lastCall))[0] as Blob;
  expect(file.type).toBe('text/csv');
  const bytes = new Uint8Array(await file.arrayBuffer());
  expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)).toBe(`\ufeff${answered.replace('\ufeff', '')}`);
});

test('follows the feed from the list’s position, and says politely what has changed', async () => {
  const list = await mount('payments-list');
  expect(one(list, '[role=status]').textContent).toBe('Today. Payments: 4');
  await pass(5);
  expect(fake.at('events').map(({ query }) => query.after)).toEqual(['7']);
  const reads = queries().length;
  fake.change('cs_01J00000000000000000000003', { status: 'succeeded' });
  await pass(5);
  expect(badges(list)).toEqual(['Paid', 'Unknown', 'Paid', 'Card on file']);
  expect(one(list, '[role=status]').textContent).toBe('Updated: RES-3000: Paid');
  expect(queries()).toHaveLength(reads + 2);
  await pass(5);
  expect(queries()).toHaveLength(reads + 2);
});

test('shows within a minute what no event tells of: a new request, and that its guest is paying', async () => {
  const list = await mount('payments-list');
  for (const status of ['open', 'pending'] as const) {
    fake.payments = [payment({ status, taken: null })];
    for (let second = 0; second < 60; second += 5) await pass(5);
    expect(badges(list)).toEqual([status === 'open' ? 'Not paid yet' : 'Processing']);
  }
});

test('reads everything again when the feed was set back, and follows it from there', async () => {
  const list = await mount('payments-list');
  fake.change('cs_01J00000000000000000000003', { status: 'succeeded' });
  await pass(5);
  fake.payments = [payment({ status: 'reversed' })];
  fake.events = [];
  await pass(5);
  expect(badges(list)).toEqual(['Refunded']);
  fake.change('cs_01J00000000000000000000001', { status: 'partly_reversed' });
  await pass(5);
  expect(badges(list)).toEqual(['Partially refunded']);
  expect(fake.at('events').at(-1)?.query.after).toBe('7');
});

test('asks nothing while nobody sees it, and at once when somebody does: for all of it after a while, and once', async () => {
  await mount('payments-list');
  const reads = queries().length;
  hide(true);
  await pass(600);
  expect(fake.at('events')).toEqual([]);
  fake.intercept = ({ path }) => (path === 'events' ? new Promise(() => {}) : undefined);
  hide(false);
  await pass(0);
  expect([fake.at('events').length, queries().length]).toEqual([1, reads + 2]);
  hide(false);
  await pass(0);
  expect(fake.at('events')).toHaveLength(1);
});

test('puts what may be a card number into no address, and stays in the search', async () => {
  const list = await mount('payments-list');
  const calls = fake.calls.length;
  const search = await typeSearch(list, '4242 4242 4242 4242');
  expect(textOf(list)).toContain('never enter card numbers');
  search.focus();
  search.form?.requestSubmit();
  await settle();
  expect(focused()).toBe(search);
  expect(fake.calls).toHaveLength(calls);
  await typeSearch(list, '4242');
  expect(queries().at(-1)).toEqual({ q: '4242' });
});

test.each(['Next day', 'Escape'])('takes what was refused out of the search with its warning: %s', async (way) => {
  const list = await mount('payments-list');
  const search = await typeSearch(list, '4242 4242 4242 4242');
  expect(textOf(list)).toContain('never enter card numbers');
  if (way === 'Escape') await press(search, way);
  else await click(list, way);
  expect(textOf(list)).not.toContain('never enter card numbers');
  expect(search.value).toBe('');
});

test.each(['202611280012', '1234-5678-9012'])(
  'searches for %s, which is no card number, but not before somebody means it',
  async (reference) => {
    const list = await mount('payments-list');
    const calls = fake.calls.length;
    const search = await typeSearch(list, reference);
    expect(textOf(list)).not.toContain('never enter card numbers');
    expect(fake.calls).toHaveLength(calls);
    search.form?.requestSubmit();
    await settle();
    expect(queries().at(-1)).toEqual({ q: reference });
  },
);

test('stops asking when it is gone', async () => {
  const list = await mount('payments-list');
  list.remove();
  await settle();
  const calls = fake.calls.length;
  await pass(600);
  hide(false);
  await settle();
  expect(fake.calls).toHaveLength(calls);
});

test('renews a secret that has ended, once for all calls', async () => {
  const getClientSecret = vi.fn(async () => `${SECRET}${getClientSecret.mock.calls.length}`);
  fake.secrets = new Set([`${SECRET}1`]);
  const list = await mount('payments-list', { getClientSecret });
  expect(textOf(list)).toContain('RES-1234');
  fake.secrets = new Set([`${SECRET}2`]);
  await click(list, 'Previous day');
  expect(getClientSecret).toHaveBeenCalledTimes(2);
  expect(textOf(list)).toContain('RES-1234');
  expect(all(list, '[role=alert]')).toEqual([]);
});

test('says when the person is signed out, and begins again by a click', async () => {
  fake.secrets.clear();
  const list = await mount('payments-list');
  expect(one(list, '[role=alert]').textContent).toContain('Your session has ended.');
  const calls = fake.calls.length;
  await pass(600);
  expect(fake.calls).toHaveLength(calls);
  fake.secrets.add(SECRET);
  expect(await click(list, 'Sign in again')).toContain('RES-1234');
  expect(all(list, '[role=alert]')).toEqual([]);
});

test.each([
  ['throws', async () => Promise.reject(new Error(`with ${SECRET}`))],
  ['never answers', () => new Promise<string>(() => {})],
])('says so when the page’s function %s, without its words', async (_, getClientSecret) => {
  const list = await mount('payments-list', { getClientSecret });
  await pass(10);
  expect(textOf(list)).toContain('Your session has ended.');
  expect(textOf(list)).not.toContain(SECRET);
});

test('keeps what it has while there is no connection, says of when it is, and goes on by itself', async () => {
  const list = await mount('payments-list');
  // The feed has answered, and nothing was new.
  await pass(60);
  fake.intercept = () => Promise.reject(new TypeError('Failed to fetch'));
  await pass(5);
  expect(one(list, '[role=alert]').textContent?.replace(/\s+/g, ' ')).toContain(
    'Can’t connect to payments. We’ll reconnect automatically. Last updated 2:01 PM.',
  );
  expect(textOf(list)).toContain('RES-1234');
  fake.intercept = undefined;
  await pass(5);
  expect(all(list, '[role=alert]')).toEqual([]);
  fake.intercept = () => Promise.reject(new TypeError('Failed to fetch'));
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await pass(5);
  expect(textOf(list)).toContain('You’re offline.');
  fake.intercept = undefined;
  window.dispatchEvent(new Event('online'));
  await settle();
  expect(all(list, '[role=alert]')).toEqual([]);
});

test('says once that there is no connection, and asks ever more slowly, but at least every minute', async () => {
  fake.intercept = () => Promise.reject(new TypeError('Failed to fetch'));
  const list = await mount('payments-list');
  expect(textOf(list).split('Can’t connect to payments.')).toHaveLength(2);
  for (const seconds of [5, 10, 20, 40, 60, 60]) {
    const calls = fake.calls.length;
    await pass(seconds - 1);
    expect(fake.calls).toHaveLength(calls);
    await pass(1);
    expect(fake.calls.length).toBeGreaterThan(calls);
  }
});

test('waits as long as it is told when it asks too often', async () => {
  fake.intercept = () => problem(429, 'rate_limited', { retryAfter: 30 });
  const list = await mount('payments-list');
  expect(textOf(list)).toContain('Too many requests. Please wait 30 seconds.');
  const calls = fake.calls.length;
  await pass(29);
  expect(fake.calls).toHaveLength(calls);
  fake.intercept = undefined;
  await pass(1);
  expect(textOf(list)).toContain('RES-1234');
});

test('says that half a list is no answer', async () => {
  fake.intercept = ({ path }) => (path === 'payments' ? json({ data: 'none', position: 1 }) : undefined);
  const list = await mount('payments-list');
  expect(textOf(list)).toContain('We couldn’t read the response.');
  fake.intercept = undefined;
  expect(await click(list, 'Retry now')).toContain('RES-1234');
});

test('says that it takes long', async () => {
  fake.intercept = ({ path }) => (path === 'payments' ? new Promise<Response>(() => {}) : undefined);
  const list = await mount('payments-list');
  await pass(3);
  expect(textOf(list)).not.toContain('longer than usual');
  await pass(1);
  expect(textOf(list)).toContain('This is taking longer than usual');
});

test('shows money that went back of an older payment as a line of its own', async () => {
  fake.payments = [payment()];
  const [id, of] = ['rv_01J00000000000000000000001', 'cs_01J00000000000000000000009'];
  const refund = { kind: 'reversal', id, payment: of, attempt: null, taken: null };
  const line = { ...lineOf(payment({ paidAt: '2026-11-26T09:00:00.000Z' })), ...refund, amount: EUR(2000) };
  fake.intercept = ({ path, query }) => (path === 'payments' && query.day ? listed([line]) : undefined);
  const list = await mount('payments-list');
  const selected: string[] = [];
  list.addEventListener('desk-select', (event) =>
    selected.push((event as CustomEvent<{ payment: string }>).detail.payment),
  );
  expect(textOf(list)).toContain('−€20.00');
  expect(badges(list)).toEqual(['Refunded']);
  await click(list, '10:00 AM');
  expect(selected).toEqual(['cs_01J00000000000000000000009']);
});

test('marks payments of test mode in a live hotel, whose totals have none of them', async () => {
  const counted = { taken: EUR(33_000), reversed: EUR(0) };
  const show = async (lines: readonly object[]): Promise<(string | null)[]> => {
    const data = lines.map((each) => ({ ...lineOf(payment()), ...each }));
    fake.intercept = ({ path, query }) => (path === 'payments' && query.day ? listed(data) : undefined);
    fake.payments = [];
    return badges(await mount('payments-list'));
  };
  const ofLive = { livemode: true, counted };
  expect(await show([ofLive, { livemode: false, counted: null }])).toEqual(['Paid', 'Paid', 'Test']);
  const ofTest = { livemode: false, counted };
  expect(await show([ofTest, { ...ofTest, status: 'open', taken: null, counted: null }])).toEqual([
    'Paid',
    'Not paid yet',
  ]);
});

test('shows every payment of which nobody knows, however many there are', async () => {
  const line = lineOf(payment({ status: 'unknown', taken: null, flags: ['unknown'] }));
  const of = (page: number): object[] =>
    Array.from({ length: 3 }, (_, n) => ({ ...line, id: `cs_${page}${n}`, reference: `U-${page}${n}` }));
  fake.payments = [];
  fake.intercept = ({ path, query }) => {
    if (path !== 'payments' || query.status !== 'unknown') return undefined;
    const page = Number(query.cursor ?? 0);
    return listed(of(page), { nextCursor: page < 2 ? String(page + 1) : null });
  };
  const list = await mount('payments-list');
  const shown = all(list, '.urgent .reference').map(({ textContent }) => textContent);
  expect(shown).toEqual([0, 1, 2].flatMap((page) => [0, 1, 2].map((n) => `U-${page}${n}`)));
});
