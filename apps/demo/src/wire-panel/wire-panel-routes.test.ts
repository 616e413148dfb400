import { beforeEach, describe, expect, test } from 'vitest';
import { exchange } from '../../test-support/exchange.ts';
import { fakeWirePanel } from '../../test-support/fake-wire-panel.ts';
import { type WirePanel, wirePanelRoutes } from './wire-panel-routes.ts';

const BOOKING = 'A'.repeat(20);
const NOW = new Date('2026-12-01T10:00:00Z');

let wirePanel: WirePanel;
let app: ReturnType<typeof wirePanelRoutes>;

beforeEach(() => {
  wirePanel = fakeWirePanel(() => NOW);
  app = wirePanelRoutes({
    wirePanel,
    arrivalOf: async (id) => (id === BOOKING ? '2026-12-24' : undefined),
    codeOf: async (path) => [{ title: `The code of ${path}`, file: 'apps/demo/src/x.ts', line: 3, code: 'a < b' }],
  });
});

describe('requests', () => {
  test('shows sender, receiver, outcome and what was redacted, without a script', async () => {
    wirePanel.log.put(
      exchange({
        id: 'order',
        from: 'hotel',
        to: 'proxy',
        method: 'PUT',
        path: '/v1/checkout-sessions/by-key/ABC',
        caption: 'The hotel’s server orders €330.00',
        request: { headers: { authorization: '[redacted]' }, body: null },
        answer: {
          status: 200,
          headers: {},
          body: { type: 'application/json', text: '{ "clientSecret": "[redacted]" }' },
        },
      }),
    );
    const page = await text('/wire');
    expect(page).toContain('data-from="hotel" data-to="proxy"');
    expect(page).toContain('The hotel’s server orders €330.00');
    const detail = await text('/wire/exchanges/order');
    expect(detail).toContain('<dt>authorization</dt><dd><span class="redacted">redacted</span></dd>');
    expect(detail).toContain('{ &quot;clientSecret&quot;: &quot;<span class="redacted">redacted</span>&quot; }');
    expect((await app.request('/wire/exchanges/gone')).status).toBe(404);
  });

  test('narrows down to the booking of the page beside it', async () => {
    wirePanel.log.put(exchange({ id: 'mine', about: [`booking:${BOOKING}`] }));
    wirePanel.log.put(exchange({ id: 'other', about: ['booking:B'] }));
    const beside = `/wire?view=requests&from=/bookings/${BOOKING}`;
    expect(await text(beside)).toMatch(/data-id="mine"/);
    expect(await text(beside)).not.toMatch(/data-id="other"/);
    expect(await text(`${beside}&scope=all`)).toMatch(/data-id="other"/);
    expect(await text('/wire?from=//evil.test/')).toMatch(/data-id="other"/);
  });

  test('escapes what came over the wire', async () => {
    wirePanel.log.put(exchange({ id: 'evil', path: '/<script>', caption: '<b>' }));
    expect(await text('/wire')).not.toMatch(/\/<script>|<b>/);
  });

  test('streams without being stored', async () => {
    const answer = await app.request('/wire/changes');
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    await answer.body?.cancel();
  });

  test('forgets when told to', async () => {
    wirePanel.log.put(exchange());
    expect((await post('/wire/clear', {})).status).toBe(303);
    expect(await text('/wire')).not.toContain('data-id=');
  });
});

describe('faults', () => {
  test('offers every scenario for every operation', async () => {
    const page = await text('/wire?view=faults');
    for (const choice of ['initpayNoIframe/declined', 'pay/declined', 'pay/slow'])
      expect(page).toContain(`value="${choice}"`);
  });

  test('names every magic input beside the switches that do the same', async () => {
    const rows = (await text('/wire?view=faults')).split('<li>');
    const declined = rows.find((row) => row.includes('<strong>declined</strong>'));
    expect(declined).toContain('<span>card <code>4000 0000 0000 0002</code></span>');
    expect(declined).toContain('value="pay/declined"');
  });

  test('switches one on and off again', async () => {
    await post('/wire/faults', { choice: 'pay/declined', times: '2' });
    expect((await wirePanel.control.scenarios()).chosen).toEqual([
      { operation: 'pay', scenario: 'declined', times: 2 },
    ]);
    expect(await text('/wire?view=faults')).toMatch(/data-chosen="pay\/declined"[\s\S]*2 times/);
    await post('/wire/faults', { choice: 'pay/declined', times: '1' });
    expect((await wirePanel.control.scenarios()).chosen).toEqual([]);
  });

  test('says what the sandbox objects to', async () => {
    const answer = await post('/wire/faults', { choice: 'pay/declined', times: 'many', view: 'faults' });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('That did not work: must be a whole number');
  });
});

describe('the clock', () => {
  test.each([
    ['hour', '2026-12-01T11:00:00.000Z', '2026-09-01 09:00:00'],
    ['day', '2026-12-02T10:00:00.000Z', '2026-09-02 08:00:00'],
    ['morning-after', '2026-12-25T08:00:00.000Z', '2026-09-25 06:00:00'],
  ])('moves the hotel’s and the sandbox’s by the same time: %s', async (step, hotel, upstream) => {
    await post('/wire/clock', { step, from: `/bookings/${BOOKING}` });
    const page = await text('/wire?view=clock');
    expect(page).toContain(`datetime="${hotel}" data-clock="hotel"`);
    expect(page).toContain(upstream);
  });

  test('offers the morning after the arrival only while it is still to come', async () => {
    const beside = `/wire?view=clock&from=/desk/${BOOKING}`;
    expect(await text(beside)).toContain('Friday, 25 December 2026');
    await post('/wire/clock', { step: 'morning-after', from: `/desk/${BOOKING}` });
    expect(await text(beside)).not.toContain('value="morning-after"');
    expect(await text('/wire?view=clock')).not.toContain('value="morning-after"');
  });
});

test('shows the code of the page beside it', async () => {
  const page = await text('/wire?view=code&from=/desk');
  expect(page).toContain('The code of /desk');
  expect(page).toContain('a &lt; b');
});

async function text(path: string): Promise<string> {
  return (await app.request(path)).text();
}

async function post(path: string, form: Record<string, string>): Promise<Response> {
  return app.request(path, { method: 'POST', body: new URLSearchParams(form) });
}
