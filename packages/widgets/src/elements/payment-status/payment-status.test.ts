import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  ENDPOINT,
  type FakeProxy,
  installFakeProxy,
  problem,
  SECRET,
  SESSION_ID,
  view,
} from '../../../test-support/fake-proxy.ts';
import { cleanUp, listen, mount, part, reached, settle, text, violations } from '../../../test-support/fixture.ts';
import { mountInState, STATES } from '../../../test-support/states.ts';

let proxy: FakeProxy;
const address = location.href;

beforeEach(() => {
  proxy = installFakeProxy();
});

afterEach(() => {
  history.replaceState(null, '', address);
  return cleanUp();
});

function returnFromHostedPage(id = SESSION_ID): void {
  const url = new URL(address);
  url.searchParams.set('checkout_session', id);
  history.replaceState(null, '', url);
}

function keep(id = SESSION_ID, endpoint = ENDPOINT): void {
  localStorage.setItem(`innkeep:${id}`, JSON.stringify({ endpoint, clientSecret: SECRET, at: Date.now() }));
}

for (const state of STATES.filter((each) => each !== 'opening')) {
  test(`is accessible and offers no payment when ${state}`, async () => {
    const status = await mountInState(state, proxy, { getClientSecret: async () => SECRET }, 'payment-status');

    expect(status.state).toBe(state);
    expect(await violations(status)).toEqual([]);
    // In `error` there is a way to look again, and looking is all it does.
    part(status, 'button')?.click();
    expect(part(status, 'button') === null).toBe(state !== 'error');
    await settle();
    expect(proxy.starts).toEqual([]);
  });
}

test('looks again on demand when the first look failed', async () => {
  proxy.moveTo('succeeded');
  proxy.intercept = () => (proxy.requests.length === 1 ? problem(502, 'upstream_error') : undefined);
  const status = await mount('payment-status');
  await reached(status, 'error');
  part(status, 'button')?.click();
  await reached(status, 'succeeded');
});

test('leaves the session to the element that connected first, without an error', async () => {
  returnFromHostedPage();
  keep();
  proxy.moveTo('pending');
  const errors: unknown[] = [];
  listen('pay-error', (event) => errors.push(event.detail));
  const first = await mount('pay-widget', { clientSecret: undefined });
  await mount('payment-status', { endpoint: undefined, clientSecret: undefined });
  expect(first.state).toBe('waiting');
  expect(errors).toEqual([]);
});

test('picks up the session that left from this tab, waits, and shows the receipt', async () => {
  returnFromHostedPage();
  keep();
  proxy.moveTo('pending');
  const status = await mount('payment-status', { endpoint: undefined });
  expect(status.state).toBe('waiting');
  expect(status.hasReturned()).toBe(true);

  proxy.moveTo('succeeded');
  await reached(status, 'succeeded');
  expect(text(status)).toContain('Payment complete');
  expect(text(status).replace(/\s/g, '')).toContain(
    'Surcharge(1.5%)€1.80Total€121.80CardVISA••••4242ReferenceRES-1234',
  );
  expect(localStorage.getItem(`innkeep:${SESSION_ID}`)).not.toContain(SECRET);
});

test('keeps the session while the outcome can still change', async () => {
  returnFromHostedPage();
  keep();
  proxy.moveTo('unknown', { final: false });
  const status = await mount('payment-status', {});

  expect(status.state).toBe('unknown');
  expect(localStorage.getItem(`innkeep:${SESSION_ID}`)).toContain(SECRET);
});

test('gives a returned session to the first element that asks', async () => {
  returnFromHostedPage();
  keep();
  proxy.moveTo('pending');
  const first = await mount('payment-status', {});
  const second = await mount('pay-widget', { getClientSecret: async () => SECRET });
  expect([first.state, second.state]).toEqual(['waiting', 'idle']);

  first.remove();
  second.remove();
  const third = await mount('payment-status', {});
  expect(third.state).toBe('waiting');
});

test('believes its own secret, not the address', async () => {
  returnFromHostedPage('cs_01J0000000000000000000000B');
  keep('cs_01J0000000000000000000000B');
  const own = 'cs_01J0000000000000000000000C_own';
  const status = await mount('payment-status', { clientSecret: own });

  expect(proxy.reads.map(({ secret }) => secret)).toEqual([own]);
  expect(status.hasReturned()).toBe(false);
});

test('sends a kept secret to no other proxy than the one it came from', async () => {
  returnFromHostedPage();
  keep(SESSION_ID, 'https://elsewhere.example');
  await mount('payment-status', {});

  expect(proxy.requests).toHaveLength(0);
});

for (const [what, prepare] of Object.entries({
  'nothing was kept': () => returnFromHostedPage(),
  'the address names no session': () => keep(),
  'the address is tampered with': () => {
    returnFromHostedPage('cs_<script>');
    keep();
  },
  'what was kept is damaged': () => {
    returnFromHostedPage();
    localStorage.setItem(`innkeep:${SESSION_ID}`, '{"endpoint":');
  },
})) {
  test(`says secret_missing, and claims nothing about the payment, when ${what}`, async () => {
    const codes: string[] = [];
    listen('pay-error', ({ detail }) => codes.push(`${detail.code} ${detail.recoverable}`));
    prepare();
    const status = await mount('payment-status', {});

    expect(codes).toEqual(['secret_missing false']);
    expect(text(status)).toContain('The result cannot be shown here');
    expect(text(status)).not.toMatch(/fail|not paid/i);
  });
}

test('says that nothing is completed while the session is open', async () => {
  proxy.current = view();
  const status = await mount('payment-status');

  expect(part(status, 'title')?.textContent).toBe('Not completed yet');
});
