import { describe, expect, test, vi } from 'vitest';
import { CheckoutSessionObject } from '../src/sessions/checkout-session-object.ts';
import { MESSAGES } from '../src/sessions/messages.ts';
import {
  createSession,
  guest,
  merchant,
  paymentLink,
  retrieve,
  send,
  startAttempt,
  startSession,
  submit,
} from '../test-support/client.ts';
import { editedDependencies } from '../test-support/edited-proxy.ts';
import { useFakes } from '../test-support/harness.ts';
import { passSeconds, poll } from '../test-support/objects.ts';
import { endTimeLimit } from '../test-support/time-limit.ts';
import { createApp } from '../test-support/whole-app.ts';

const fakes = useFakes();

function expectSafePage(answer: Response): void {
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  expect(policy).not.toContain('script-src');
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  expect(answer.headers.get('x-robots-tag')).toBe('noindex');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('set-cookie')).toBeNull();
}

describe('the return', () => {
  test.each(['GET', 'POST'])('by %s, with any body, is only a hint', async (method) => {
    const session = await startSession({}, 'tab');
    const answer = await send(fakes.upstream.returnPath(session.id, 'success'), {
      method,
      ...(method === 'POST'
        ? { body: new Uint8Array(100_000), headers: { 'content-type': 'application/octet-stream' } }
        : {}),
    });
    expect(answer.status).toBe(200);
    expect(await retrieve(session.id)).toMatchObject({ status: 'pending' });
  });

  test.each([
    [
      'by redirect goes back to the hotel with the session in the address',
      ['x=1&checkout_session=cs_forged#top', ''],
      (session: string) => `x=1&${session}#top`,
    ],
    [
      'by redirect keeps the rest of the query as the hotel wrote it',
      ['x=a%20b&flag&p=%7B1%7D&sig=a~b#/route?y=1', ''],
      (session: string) => `x=a%20b&flag&p=%7B1%7D&sig=a~b&${session}#/route?y=1`,
    ],
    [
      'to a place of the caller’s choice does not exist',
      ['step=3', '?returnUrl=https://evil.test/'],
      (session: string) => `step=3&${session}`,
    ],
  ])('%s', async (_, [query, more], expected) => {
    const session = await startSession({ returnUrl: `https://aurora.test/b?${query}` });
    const answer = await send(`${fakes.upstream.returnPath(session.id, 'success')}${more}`);
    const location = `https://aurora.test/b?${expected(`checkout_session=${session.id}`)}`;
    expect([answer.status, answer.headers.get('location')]).toEqual([303, location]);
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('in a tab that is left open keeps no attempt from being abandoned', async () => {
    const { id } = await startSession({ expiresInSeconds: 7_200 }, 'tab');
    let path = fakes.upstream.returnPath(id, 'success');
    for (let minute = 0; minute < 61; minute += 10) {
      const html = await (await send(path)).text();
      path = /http-equiv="refresh" content="3; url=(.*?)"/.exec(html)?.[1] ?? path;
      passSeconds(600);
    }
    expect(await (await send(path)).text()).toContain('http-equiv="refresh" content="60;');
    expect(await retrieve(id)).toMatchObject({ status: 'open', attempts: [{ status: 'abandoned' }] });
  });

  test.each(['nonce', 'session', 'both'])('with a wrong %s is a plain 404 and changes nothing', async (what) => {
    const session = await startSession();
    const [, , id = '', nonce = '', through = ''] = fakes.upstream.returnPath(session.id, 'abort').split('/');
    const wrongId = what === 'nonce' ? id : `cs_${'0'.repeat(26)}`;
    const wrongNonce = what === 'session' ? nonce : 'A'.repeat(43);
    const answer = await send(`/return/${wrongId}/${wrongNonce}/${through}`);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toContain('text/html');
    fakes.upstream.fail(session.id);
    await poll(session.id);
    await poll(session.id, 5);
    expect(await retrieve(session.id)).toMatchObject({ attempts: [{ status: 'failed' }] });
  });

  test('does not wait for an upstream that hangs', async () => {
    const session = await startSession();
    const held = fakes.upstream.hold('paystatus', () => Response.json({ state: 0 }));
    // For which whoever asks waits.
    endTimeLimit(2_000, () => true);
    expect((await send(fakes.upstream.returnPath(session.id, 'success'))).status).toBe(303);
    held.release();
  });
});

describe('a payment link', () => {
  test('shows what is to be paid, in the guest’s language, without asking the upstream', async () => {
    const session = await createSession();
    const answer = await merchant(`/v1/checkout-sessions/${session.id}/link`, { method: 'POST' });
    const { url, qrUrl, expiresAt } = await answer.json<{ url: string; qrUrl: string; expiresAt: string }>();
    const path = new URL(url).pathname;
    expect(url).toMatch(new RegExp(`^https://proxy\\.test/pay/${session.id}_[\\w-]{43}$`));
    expect(qrUrl).toBe(`${url}/qr.svg`);
    expect(expiresAt).toBe(session.expiresAt);
    const expected = {
      en: 'Your payment',
      'de-AT,de;q=0.9': 'Ihre Zahlung',
      fr: 'Votre paiement',
      es: 'Su pago',
      it: 'Il Suo pagamento',
      'pt-BR': 'Your payment',
      'xx, de;q=0.1, fr;q=0.5': 'Votre paiement',
    };
    for (const [language, heading] of Object.entries(expected)) {
      const answer = await send(path, { headers: { 'accept-language': language } });
      expectSafePage(answer);
      const policy = answer.headers.get('content-security-policy');
      expect(policy).toContain("form-action 'self' https://pay.test https://view.test;");
      const html = await answer.text();
      expect(html).toContain(heading);
      expect(html).toContain('Hotel Aurora');
      expect(html).toContain('120');
      expect(html).toContain('RES-1234');
      expect(html).toContain(`action="${path}?terms=1"`);
      expect(html).not.toContain('<script');
      expect(html).not.toContain('style=');
    }
    expect(fakes.upstream.count('initpayNoIframe') + fakes.upstream.count('login')).toBe(0);
  });

  test('starts with a form post without origin, and pays the same session', async () => {
    const session = await createSession();
    const path = await paymentLink(session.id);
    const answer = await submit(path);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toMatch(/^https:\/\/view\.test\/payment/);
    expect((await submit(path, { origin: 'https://proxy.test' })).headers.get('location')).toBe(
      answer.headers.get('location'),
    );
    fakes.upstream.pay(session.id);
    const back = await send(fakes.upstream.returnPath(session.id, 'success'));
    expect(back.status).toBe(200);
    expect(await back.text()).toContain('Payment received');
    expect(await (await send(path)).text()).toContain('Payment received');
    expect(fakes.upstream.count('initpayNoIframe')).toBe(1);
  });

  test('shows the result itself, although another device has opened the payment from the hotel’s page', async () => {
    const session = await createSession();
    const path = await paymentLink(session.id);
    await submit(path);
    expect((await startAttempt(session, { presentation: 'redirect' })).status).toBe(200);
    fakes.upstream.pay(session.id);
    const back = await send(fakes.upstream.returnPath(session.id, 'success'));
    expect([back.status, back.headers.get('location')]).toEqual([200, null]);
    expect(await back.text()).toContain('Payment received');
  });

  test('shows a new price to a guest who has seen the old one, and starts nothing before', async () => {
    const path = await paymentLink((await createSession()).id);
    const answer = await submit(path, { terms: 2 });
    expect(answer.status).toBe(409);
    const html = await answer.text();
    expect(html).toContain('The price or details have changed');
    expect(html).toContain(`action="${path}?terms=1"`);
    for (const query of ['', '?terms=', '?terms=1e0x']) {
      const refused = await send(`${path}${query}`, { method: 'POST', headers: { origin: 'null' } });
      expect([query, refused.status]).toEqual([query, 409]);
    }
    expect(fakes.upstream.count('initpayNoIframe')).toBe(0);
  });

  test('says that nothing was charged when the upstream is down, and can be tried again', async () => {
    const path = await paymentLink((await createSession()).id);
    fakes.upstream.overrides.initpayNoIframe = () => new Response(null, { status: 500 });
    const answer = await submit(path);
    expect(answer.status).toBe(502);
    expect(await answer.text()).toContain('Please try again in a moment');
    fakes.upstream.overrides = {};
    expect((await submit(path)).status).toBe(303);
  });

  test('does not say that nothing was charged when nobody knows what became of the start', async () => {
    const path = await paymentLink((await createSession()).id);
    vi.spyOn(CheckoutSessionObject.prototype, 'startFromLink').mockRejectedValue(new Error('out of order'));
    const answer = await submit(path);
    expect(answer.status).toBeGreaterThanOrEqual(500);
    const html = await answer.text();
    expect(html).toContain('Your payment has not changed');
    expect(html).not.toContain('<form');
  });

  test('has a QR code of its address', async () => {
    const path = await paymentLink((await createSession()).id);
    const answer = await send(`${path}/qr.svg`);
    expect(answer.headers.get('content-type')).toBe('image/svg+xml');
    const svg = await answer.text();
    expect(svg).toMatch(/^<svg xmlns=/);
    expect(svg).toMatch(/<rect [^>]*fill="white"><\/rect><path d="M[^"]{3000,}Z" fill="black">/);
  });

  test('is no client secret, and a client secret is no link', async () => {
    const session = await createSession();
    const path = await paymentLink(session.id);
    expect((await guest('/v1/checkout', path.slice('/pay/'.length))).status).toBe(401);
    expect((await send(`/pay/${session.clientSecret}`)).status).toBe(404);
  });
});

test.each(['GET /pay/x', 'POST /pay/x', 'GET /pay/x/qr.svg', 'GET /return/x/y/success', 'POST /return/x/y/abort'])(
  'an address that asks too often is answered with a page: %s',
  async (call) => {
    const [method = '', path = ''] = call.split(' ');
    const app = createApp({
      ...editedDependencies(),
      secondsToWait: async (act) => (act === 'guest' ? 7 : 0),
      readFile: async () => Response.json({ unavailable: 'Wait', refusedText: 'As it was', text: { pending: 'Soon' } }),
    });
    const answer = await app.fetch(
      new Request(`https://proxy.test${path}`, { method, headers: { 'accept-language': 'it' } }),
    );
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7']);
    expectSafePage(answer);
    const html = await answer.text();
    expect(html).toMatch(/<h1>.+<\/h1><p role="status">.+<\/p>/);
    expect(html.includes('http-equiv="refresh" content="7"')).toBe(path.startsWith('/return/'));
  },
);

test.each([
  ...['/pay', '/pay/x/y', '/return', '/return/x', '/return/x/y/fail', '/return/x/y/success/more', '/pay/nonsense'],
  `/pay/cs_${'0'.repeat(26)}_${'a'.repeat(43)}`,
  `/pay/cs_${'0'.repeat(26)}_${'a'.repeat(43)}/qr.svg`,
])('an address at which there is nothing is answered with a page: %s', async (path) => {
  const answer = await send(path, { headers: { 'accept-language': 'en' } });
  expect(answer.status).toBe(404);
  expectSafePage(answer);
  expect(await answer.text()).toContain('<h1>Page not found</h1>');
});

test.each([
  ['/pay/', '/pay'],
  ['/pay//evil.test//', '/pay//evil.test'],
  ['/return/x/y/abort/?z=1', '/return/x/y/abort?z=1'],
  ['/pay/%0d%0aset-cookie:x=1/', '/pay/%0d%0aset-cookie:x=1'],
  ['/return/%E2%82%AC%20/', '/return/%E2%82%AC%20'],
  ['/desk/a%00b/', '/desk/a%00b'],
])('a slash too many leads on: %s', async (path, location) => {
  const answer = await send(path);
  expect([answer.status, answer.headers.get('location')]).toEqual([308, location]);
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

test('a guest of a deployment that is not served is told so by a page', async () => {
  const misconfigured = { param: 'JURISDICTION', detail: 'It was changed' };
  const app = createApp({ ...editedDependencies(), misconfigured });
  const ask = (path: string) =>
    app.fetch(new Request(`https://proxy.test${path}`, { headers: { 'accept-language': 'en' } }));
  for (const path of ['/pay/x', '/pay/x/', '/return/x/y/success']) {
    const answer = await ask(path);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
    expectSafePage(answer);
    const html = await answer.text();
    expect(html).toContain('<h1>Please try again in a moment</h1>');
    expect(html).not.toContain('JURISDICTION');
  }
  expect(await (await ask('/v1/payments')).json()).toMatchObject({ code: 'property_unavailable' });
});

test('a return that fails is tried again by its page, and then leads on to the hotel', async () => {
  const session = await startSession();
  const path = fakes.upstream.returnPath(session.id, 'success');
  const returned = vi.spyOn(CheckoutSessionObject.prototype, 'returned').mockRejectedValue(new Error('out of order'));
  const answer = await send(path, { headers: { 'accept-language': 'en' } });
  expect(answer.status).toBeGreaterThanOrEqual(500);
  expectSafePage(answer);
  const html = await answer.text();
  expect(html).toContain('<meta http-equiv="refresh" content="5">');
  expect(html).toContain('Your payment has not changed. This page updates by itself.');
  returned.mockRestore();
  const again = await send(path);
  expect([again.status, new URL(again.headers.get('location') ?? '').host]).toEqual([303, 'aurora.test']);
});

test.each([
  ['was edited', { baseUrl: 'https://new.test', viewOrigins: [] }],
  ['cannot be read', { amountUnit: 'pounds' }],
])('the way back to a payment under way stays open when its hotel %s', async (_, edit) => {
  const path = await paymentLink((await startSession()).id);
  const readFile = async () => Response.json(MESSAGES.en);
  const edited = createApp({ ...editedDependencies(edit), readFile });
  const answer = await edited.fetch(new Request(`https://proxy.test${path}`));
  expect(await answer.text()).toContain('Back to the payment page');
  expect(answer.headers.get('content-security-policy')).toMatch(/form-action 'self' (\S+ )*https:\/\/view\.test;/);
});

test('a page shows hostile text as text', async () => {
  const session = await createSession({
    reference: '"><script>alert(1)</script>',
    description: '<img src=x onerror=alert(1)>',
  });
  const html = await (await send(await paymentLink(session.id))).text();
  expect(html).not.toContain('<script>');
  expect(html).not.toContain('<img src=x');
  expect(html).toContain('&lt;script&gt;');
});

test('the style sheet is served, and allowed by the pages’ policy', async () => {
  const answer = await send('/pages.css');
  expect(answer.headers.get('content-type')).toBe('text/css; charset=utf-8');
  const sheet = await answer.text();
  expect(sheet).toMatch(/main ?\{/);
  // Without a border there is no button in forced colors.
  expect(sheet).toMatch(/button ?\{[^}]*border: ?1px solid transparent/);
});
