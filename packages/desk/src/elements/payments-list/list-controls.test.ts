import { beforeEach, expect, onTestFinished, vi } from 'vitest';
import { lineOf, listed, payment, problem } from '../../../test-support/fake-desk.ts';
import { all, click, fake, mount, one, settle, test, textOf } from '../../../test-support/fixture.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: new Date('2026-11-26T13:00:00Z') });
});

const chosen = (root: Parameters<typeof all>[0]): string[] =>
  all<HTMLSelectElement>(root, 'select').map(({ value }) => value);

async function choose(root: Parameters<typeof all>[0], nth: number, value: string): Promise<void> {
  const select = all<HTMLSelectElement>(root, 'select')[nth];
  if (select) select.value = value;
  select?.dispatchEvent(new Event('change'));
  await settle();
}

/** The hotel's next day has begun, and somebody looks at the page for a minute. */
async function comeTomorrow(): Promise<void> {
  fake.today = '2026-11-27';
  for (let second = 0; second < 60; second += 5) {
    vi.advanceTimersByTime(5_000);
    await settle();
  }
}

test('says in its fields what it shows, also when that was chosen elsewhere', async () => {
  const list = await mount('payments-list', { filter: { status: 'open', kind: 'card' } });
  expect(chosen(list)).toEqual(['open', 'card']);
  for (const status of ['succeeded', '', 'succeeded']) await choose(list, 0, status);
  for (const kind of ['', 'card']) await choose(list, 1, kind);
  for (const filter of [{}, { status: 'reversed' }, { status: 'succeeded' }, { kind: 'payment' }] as const) {
    list.filter = filter;
    await settle();
    expect(chosen(list)).toEqual(['status' in filter ? filter.status : '', 'kind' in filter ? filter.kind : '']);
  }
});

test('says in its fields what it shows once somebody has gone back', async () => {
  location.hash = '#status=open';
  const desk = await mount('payments-desk');
  for (const status of ['succeeded', '', 'succeeded']) await choose(desk, 0, status);
  location.hash = '#menu=open';
  await vi.waitUntil(() => fake.at('payments').at(-2)?.query.status === undefined);
  await settle();
  expect(chosen(desk)).toEqual(['', '']);
});

test.each([
  ['payments-list', true],
  ['payments-list', false],
  ['payment-details', true],
] as const)('<%s> reads again once it is put back; taken away before its first answer: %s', async (tag, isEarly) => {
  if (isEarly) fake.intercept = ({ path }) => (path.startsWith('payments') ? new Promise(() => {}) : undefined);
  const element = await mount(tag, { payment: payment().id } as object);
  element.remove();
  await settle();
  fake.intercept = undefined;
  fake.payments = [payment({ reference: 'RES-9' })];
  document.body.append(element);
  await settle();
  expect(textOf(element)).toContain('RES-9');
});

test('begins the hotel’s next day by itself, also after it was moved on the page', async () => {
  const list = await mount('payments-list');
  document.body.append(list);
  await settle();
  const days = (): number => fake.at('payments').filter(({ query }) => query.day).length;
  const shown = (): string[] => all<HTMLInputElement>(list, '[type=date]').map(({ value }) => value);
  expect(shown()).toEqual(['2026-11-26', '2026-11-26']);
  const before = days();
  await comeTomorrow();
  expect([days(), ...shown()]).toEqual([before + 1, '2026-11-27', '2026-11-27']);
  await comeTomorrow();
  expect(days()).toBe(before + 2);
});

test.each([
  [{ from: '2026-11-26', until: '2026-11-26' }, {}],
  [{ from: '2026-11-26', status: 'succeeded' }, { status: 'succeeded' }],
] as const)('begins the hotel’s next day also for whoever has come back to today', async (filter, then) => {
  const list = await mount('payments-list', { filter });
  expect(one(list, 'h2').textContent).toBe('Today');
  await comeTomorrow();
  expect(fake.at('payments').at(-2)?.query).toEqual({ day: 'today', limit: '100', ...then });
  expect(list.filter).toEqual(then);
});

test('does so, too, when the day has turned before anything could tell, as while the computer slept', async () => {
  const list = await mount('payments-list', { filter: { from: '2026-11-26', until: '2026-11-26' } });
  fake.today = '2026-11-27';
  list.reload();
  await settle();
  expect([list.filter, one(list, 'h2').textContent]).toEqual([{}, 'Today']);
});

test.each([{ from: '2026-11-25' }, { from: '2026-11-25', until: '2026-11-26' }])(
  'stays with days that somebody has chosen: %j',
  async (filter) => {
    const list = await mount('payments-list', { filter });
    const asked = fake.at('payments').at(-2)?.query;
    const reads = fake.at('payments').length;
    await comeTomorrow();
    expect(list.filter).toEqual(filter);
    expect([fake.at('payments').at(-2)?.query, fake.at('payments').length]).toEqual([asked, reads + 2]);
  },
);

test('breaks no reference and no amount where letters are twice as large', async () => {
  const root = document.documentElement;
  root.style.fontSize = '32px';
  onTestFinished(() => root.removeAttribute('style'));
  fake.payments = [
    payment({ taken: { value: 1_234_567_800, currency: 'HUF' } }),
    payment({ status: 'open', taken: null }),
  ];
  const list = await mount('payments-list');
  list.style.inlineSize = '736px';
  const pieces = all(list, '.reference, .sum bdi').map((each) => each.getClientRects().length);
  expect(pieces).toEqual(pieces.map(() => 1));
});

test('its fields are as readable as all else: whole dates in a narrow window, letters of the size that a page sets, hints in the ink of hints', async () => {
  const list = await mount('payments-list');
  list.style.inlineSize = '296px';
  list.style.setProperty('--pay-font-size-base', '25px');
  const [search, from, until] = all(list, 'input');
  if (!search || !from || !until) throw new Error('There are three');
  expect(from.getBoundingClientRect().bottom).toBeLessThan(until.getBoundingClientRect().top);
  expect(getComputedStyle(search).fontSize).toBe('25px');
  const { color, opacity } = getComputedStyle(search, '::placeholder');
  expect([color, opacity]).toEqual([getComputedStyle(one(list, '.line time')).color, '1']);
});

test.each(['16px', '32px'])('keeps lines and large totals within a telephone with letters of %s', async (size) => {
  const root = document.documentElement;
  root.style.fontSize = size;
  onTestFinished(() => root.removeAttribute('style'));
  const total = { currency: 'HUF', payments: 412, taken: 1_234_567_800, reversals: 38, reversed: 123_456_700 };
  const lines = [lineOf(payment({ status: 'partly_reversed' }))];
  fake.intercept = ({ path }) =>
    path === 'payments' ? listed(lines, { totals: [{ ...total, net: 1_111_111_100 }] }) : undefined;
  const list = await mount('payments-list');
  list.style.inlineSize = '336px';
  const { right } = list.getBoundingClientRect();
  const ends = all(list, '.badge, bdi').map((each) => each.getBoundingClientRect().right);
  expect(ends.filter((end) => end > right)).toEqual([]);
  expect(all(list, '.sum bdi')[0]?.getClientRects()).toHaveLength(1);
  expect(getComputedStyle(one(list, 'td'), '::before').content).toContain('Received');
});

test('says that so many days are not added up, but not below a search, which has no totals', async () => {
  fake.intercept = ({ path }) => (path === 'payments' ? listed([], { totals: null }) : undefined);
  const list = await mount('payments-list', { filter: { from: '2026-01-01', until: '2026-11-26' } });
  expect(textOf(list)).toContain('Totals: The limit is 31 days.');
  list.filter = { q: 'res-' };
  await settle();
  expect(textOf(list)).not.toContain('Totals');
});

test('shows what needs a person of all the day, also of what is further down than the list', async () => {
  let flagged = 1;
  let isLimited = false;
  fake.payments = [];
  fake.intercept = ({ path, query }) => {
    if (path !== 'payments' || query.status) return undefined;
    if (query.cursor && isLimited) return problem(429, 'rate_limited');
    const page = Number(query.cursor ?? 1);
    const line = lineOf(payment({ reference: `P-${page}`, flags: page === flagged ? ['duplicate'] : [] }, page));
    return listed([line], { nextCursor: page < 3 ? String(page + 1) : null });
  };
  const list = await mount('payments-list');
  const shown = (): (string | null)[] => all(list, '.reference').map(({ textContent }) => textContent);
  const afterReload = async (): Promise<(string | null)[]> => {
    list.reload();
    await settle();
    return shown();
  };
  expect(shown()).toEqual(['P-1', 'P-1']);
  [flagged, isLimited] = [3, true];
  expect(await afterReload()).toEqual(['P-1']);
  isLimited = false;
  expect(await afterReload()).toEqual(['P-3', 'P-1']);
  await click(list, 'Show more');
  await click(list, 'Show more');
  expect(shown()).toEqual(['P-3', 'P-1', 'P-2', 'P-3']);
  flagged = 0;
  expect(await afterReload()).toEqual(['P-1', 'P-2', 'P-3']);
});
