import { describe, expect, it } from 'vitest';
import { fakeUpstream, readSample, sampleContext, sampleResponse } from '../../test-support/fake-upstream.ts';
import { login } from './login.ts';
import { paystatus } from './paystatus.ts';

const sample = readSample('login');
const success = sampleResponse(sample, 'success');

describe('login', () => {
  it('sends the golden request and reads the golden answer', async () => {
    const upstream = fakeUpstream([], { login: success });
    const result = await login(sampleContext(upstream));
    expect(upstream.logins[0]?.url).toBe(`https://pay.example${sample.path}`);
    expect(upstream.logins[0]?.headers).not.toHaveProperty('authorization');
    expect(JSON.parse(upstream.logins[0]?.body ?? '')).toEqual(sample.request);
    expect(result.accessToken.reveal()).toBe(success.access_token);
    expect(result.expiresAt).toEqual(new Date('2026-06-01T11:20:00Z'));
    expect(result.roles).toEqual(['USER']);
  });

  it('counts expires_in in minutes when told so', async () => {
    const upstream = fakeUpstream([], { login: { access_token: 'a', expires_in: 80 } });
    const result = await login(sampleContext(upstream, { expiresInUnit: 'minutes' }));
    expect(result.expiresAt).toEqual(new Date('2026-06-01T11:20:00Z'));
  });

  it.each([null, '', ' '])('takes a token_type of %j for a missing one', async (token_type) => {
    const upstream = fakeUpstream([], { login: { access_token: 'a', token_type, expires_in: 4800 } });
    expect((await login(sampleContext(upstream))).accessToken.reveal()).toBe('a');
  });

  it('keeps the token for the calls that follow', async () => {
    const upstream = fakeUpstream([{ state: 0 }], { login: success });
    const context = sampleContext(upstream);
    await login(context);
    await paystatus(context, { requestID: 'R-1' });
    expect(upstream.logins).toHaveLength(1);
    expect(upstream.requests[0]?.headers.authorization).toBe(`Bearer ${success.access_token}`);
  });

  it.each([
    ['access_token', { expires_in: 4800 }],
    ['access_token', { access_token: '', expires_in: 4800 }],
    ['expires_in', { access_token: 'a' }],
    ['expires_in', { access_token: 'a', expires_in: 0 }],
    ['expires_in', { access_token: 'a', expires_in: 'soon' }],
    ['token_type', { access_token: 'a', expires_in: 1, token_type: 'mac' }],
  ])('refuses an answer with a bad %s', async (path, answer) => {
    const upstream = fakeUpstream([], { login: answer });
    await expect(login(sampleContext(upstream))).rejects.toMatchObject({ code: 'invalid_response', path });
  });

  it.each([401, 403])('is refused by a %i, and then keeps quiet so that the account is not locked', async (status) => {
    const upstream = fakeUpstream([], { login: () => new Response('', { status }) });
    const context = sampleContext(upstream);
    await expect(login(context)).rejects.toMatchObject({ code: 'authentication_failed', status });
    await expect(login(context)).rejects.toMatchObject({ code: 'authentication_failed' });
    expect(upstream.logins).toHaveLength(1);
  });

  it.each([
    { returnCode: '5', returnText: 'wrong password' },
    { error: 'unauthorized' },
    { access_token: '', expires_in: 0, returnCode: 5 },
    { access_token: null, token_type: 'Bearer', expires_in: 4800, returnCode: '5' },
    {},
  ])('is refused by a 200 with %j as well', async (answer) => {
    const upstream = fakeUpstream([], { login: answer });
    const context = sampleContext(upstream);
    await expect(login(context)).rejects.toMatchObject({ code: 'authentication_failed', status: undefined });
    await expect(login(context)).rejects.toMatchObject({ code: 'authentication_failed' });
    expect(upstream.logins).toHaveLength(1);
  });

  it('has nothing to log in with when tokens come from the caller', async () => {
    const context = sampleContext(fakeUpstream([]), { credentials: undefined, accessToken: async () => 'own' });
    await expect(login(context)).rejects.toMatchObject({ code: 'configuration' });
  });
});
