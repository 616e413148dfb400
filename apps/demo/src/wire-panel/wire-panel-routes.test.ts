import { beforeEach, expect, test } from 'vitest';
import { fakeWirePanel } from '../../test-support/fake-wire-panel.ts';
import type { Exchange } from './exchange.ts';
import { wirePanelRoutes } from './wire-panel-routes.ts';

let wirePanel: ReturnType<typeof fakeWirePanel>;
let app: ReturnType<typeof wirePanelRoutes>;

beforeEach(() => {
  wirePanel = fakeWirePanel(() => new Date('2026-12-01T10:00:00Z'));
  app = wirePanelRoutes(wirePanel);
});

test('shows sender, receiver, outcome and both messages, escaped, the last request first', async () => {
  put({ from: 'hotel', to: 'proxy', method: 'PUT', path: '/<script>', startedAt: 2, request: 'a: <b>\n' });
  put({ from: 'proxy', to: 'upstream', method: 'POST', path: '/V2/1/pay', startedAt: 3, status: null, answer: '' });
  put({ startedAt: 1 });
  const page = await text('/wire');
  expect([...page.matchAll(/data-from="(\w+)" data-to="(\w+)"/g)].map(([, from, to]) => `${from} ${to}`)).toEqual([
    'proxy upstream',
    'hotel proxy',
    'browser hotel',
  ]);
  for (const part of ['PUT /&lt;script&gt;', 'a: &lt;b&gt;', 'no answer', 'The connection ended without an answer.'])
    expect(page).toContain(part);
  expect(page).not.toMatch(/\/<script>|a: <b>/);
});

test('narrows down to the requests of one server, is not stored, and forgets when told to', async () => {
  put({ to: 'hotel' });
  put({ to: 'proxy' });
  const narrow = await app.request('/wire?to=proxy');
  expect(narrow.headers.get('cache-control')).toBe('no-store');
  expect((await narrow.text()).match(/data-to="\w+"/g)).toEqual(['data-to="proxy"']);
  expect((await post('/wire/clear', {})).status).toBe(303);
  expect(await text('/wire')).not.toContain('data-to=');
});

test('its forms stay with the one server that is shown, and clear no other', async () => {
  put({ to: 'hotel' });
  put({ to: 'proxy' });
  const page = await text('/wire?to=proxy');
  const forms = [...page.matchAll(/action="([^"]*)"/g)].map(([, action = '']) => action);
  expect(forms).toEqual(['/wire/faults?to=proxy', '/wire/clock?to=proxy', '/wire/clear?to=proxy']);
  expect((await post('/wire/clear?to=proxy', {})).headers.get('location')).toBe('/wire?to=proxy');
  expect(await text('/wire')).toContain('data-to="hotel"');
  expect(await text('/wire')).not.toContain('data-to="proxy"');
  expect(await (await post('/wire/clock?to=hotel', { step: 'year' })).text()).toContain('aria-current="true">hotel');
});

test('keeps the newest requests', () => {
  for (let startedAt = 1; startedAt <= 201; startedAt++) put({ startedAt });
  expect(wirePanel.log.list().map(({ startedAt }) => startedAt)).toEqual(
    Array.from({ length: 200 }, (_, i) => 201 - i),
  );
});

test('switches a fault on and off, and says what the sandbox objects to', async () => {
  for (const choice of ['initpayNoIframe/declined', 'pay/declined', 'pay/slow'])
    expect(await text('/wire')).toContain(`value="${choice}"`);
  await post('/wire/faults', { choice: 'pay/declined', times: '2' });
  expect(await text('/wire')).toContain('declined for pay, 2 times');
  await post('/wire/faults', { choice: 'pay/declined', times: '0' });
  expect((await wirePanel.control.scenarios()).chosen).toEqual([]);
  const refused = await post('/wire/faults', { choice: 'pay/declined', times: 'many' });
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('must be a whole number')]);
});

test.each([
  ['hour', '2026-12-01 11:00 UTC', 3_600],
  ['day', '2026-12-02 10:00 UTC', 86_400],
  ['week', '2026-12-08 10:00 UTC', 604_800],
])('moves the hotel’s clock and the sandbox’s by the same time: %s', async (step, hotel, seconds) => {
  await post('/wire/clock', { step });
  expect(await text('/wire')).toContain(hotel);
  expect(wirePanel.moved).toEqual([seconds]);
  expect((await post('/wire/clock', { step: 'year' })).status).toBe(400);
  expect(wirePanel.moved).toEqual([seconds]);
});

/** An answered request of a browser to the hotel, but for what is different. */
function put(changes: Partial<Exchange>): void {
  wirePanel.log.add({
    ...{ id: crypto.randomUUID(), from: 'browser', to: 'hotel', method: 'GET', path: '/', startedAt: 0 },
    ...{ durationMs: 5, status: 200, request: '', answer: 'b: c\n' },
    ...changes,
  });
}

async function text(path: string): Promise<string> {
  return (await app.request(path)).text();
}

async function post(path: string, form: Record<string, string>): Promise<Response> {
  return app.request(path, { method: 'POST', body: new URLSearchParams(form) });
}
