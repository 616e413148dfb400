import { expect } from 'vitest';
import { Caller, HOSTED_PAYMENT } from '../../test-support/caller.ts';
import { it } from '../../test-support/it.ts';
import { createSandbox } from '../server/sandbox.ts';

it('opens a hosted payment whose viewUrl path ends in payment and has the parameter PD', async ({ api }) => {
  const { status, json } = await api.initpay();
  expect(status).toBe(200);
  expect(json).toEqual({
    viewUrl: expect.any(String),
    requestID: expect.any(String),
    dateTime: '2026-09-01T08:00:00',
    stateRetrivalUrl: expect.any(String),
    returnCode: '0',
    serviceProvider: 'SANDBOX_HOSTED',
  });
  const viewUrl = new URL(json.viewUrl);
  expect(viewUrl.origin).toBe('https://sandbox.test');
  expect(viewUrl.pathname).toMatch(/\/payment$/);
  expect([...viewUrl.searchParams.keys()]).toEqual(['PD']);
});

it('opens a hosted tokenization whose viewUrl path ends in create', async ({ api }) => {
  const { json } = await api.initToken();
  expect(new URL(json.viewUrl).pathname).toMatch(/\/create$/);
  expect((await api.raw(json.viewUrl)).status).toBe(200);
});

it('answers with a stateRetrivalUrl without V2 that works as given', async ({ api }) => {
  const { json } = await api.initpay();
  expect(new URL(json.stateRetrivalUrl).pathname).toBe('/1234/paystatus');
  expect(await api.get(json.stateRetrivalUrl)).toEqual({ status: 200, json: { state: 0 } });
});

it('speaks under any customer id and keeps customers apart', async ({ api }) => {
  const { json } = await api.initpay();
  const foreign = `/V2/other/paystatus?requestid=${json.requestID}&serviceProvider=SANDBOX_HOSTED`;
  expect((await api.get(foreign)).status).toBe(404);
  expect((await api.raw(json.viewUrl.replace('/1234/', '/other/'))).status).toBe(404);
});

it('writes the configured base address, path prefix included, into its answers', async () => {
  const prefixed = new Caller({ sandbox: createSandbox({ baseUrl: 'https://pay.test/prefix/' }) });
  const answer = await prefixed.json('/prefix/login', { username: 'demo', password: 'demo-password' });
  prefixed.bearer = String(answer.json.access_token);
  const init = await prefixed.json<{ viewUrl: string; stateRetrivalUrl: string }>(
    '/prefix/V2/1234/initpayNoIframe',
    HOSTED_PAYMENT,
  );
  expect(init.json.viewUrl).toMatch(/^https:\/\/pay\.test\/prefix\/1234\/hosted\/payment\?PD=/);
  expect((await prefixed.get(init.json.stateRetrivalUrl)).json).toEqual({ state: 0 });
  const page = await (await prefixed.raw(init.json.viewUrl)).text();
  expect(page).toContain('href="/prefix/__sandbox/assets/hosted-page.css"');
});
