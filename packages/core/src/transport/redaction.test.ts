// An upstream and a runtime that repeat everything they were told must not bring a secret into a view or an error.
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type Answer, fakeUpstream, sampleOptions } from '../../test-support/fake-upstream.ts';
import { SECRETS as GIVEN, OPERATIONS } from '../../test-support/operations.ts';
import { type Client, createClient } from '../client.ts';

const SECRETS = { ...GIVEN, password: 'pw-marker-1', accessToken: 'at-marker-2' } as const;

const CALLS: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  ...Object.fromEntries(Object.entries(OPERATIONS).map(([name, { run }]) => [name, run])),
  call: (client) => client.call('createToken', { ...GIVEN, password: SECRETS.password }),
};

/** Everything the request said, and the secrets besides, in one text. */
async function echoOf(request: Request): Promise<string> {
  return [await request.text(), ...request.headers.values(), ...Object.values(SECRETS)].join(' ');
}

const ECHOES: Record<string, Answer> = {
  'a decline': async (request) => Response.json({ returnCode: '5', returnText: await echoOf(request), state: 'x' }),
  'an unreadable answer': async (request) => new Response(`<html>${await echoOf(request)}`),
  'fields of the wrong type': async (request) => {
    const echo = await echoOf(request);
    return Response.json({ returnCode: [echo], state: echo, access_token: { echo }, expires_in: echo });
  },
  'a status': async (request) => new Response(await echoOf(request), { status: 500 }),
  'what the runtime throws': async (request) => {
    const echo = await echoOf(request);
    const cause = Object.assign(new Error(echo, { cause: echo }), { code: 'ECONNRESET', request, echo });
    throw Object.assign(new TypeError(echo), { cause, request, path: echo });
  },
};

const cases = Object.keys(CALLS).flatMap((operation) => Object.keys(ECHOES).map((echo) => ({ operation, echo })));

describe('secrets', () => {
  it.each(cases)('of $operation stay out of views and errors when $echo repeats them', async ({ operation, echo }) => {
    const shown: unknown[] = [];
    const answer = ECHOES[echo] as Answer;
    const upstream = fakeUpstream([answer], {
      login: operation === 'login' ? answer : { access_token: SECRETS.accessToken, expires_in: 4800 },
    });
    const client = createClient(
      sampleOptions({
        credentials: { username: 'user-marker', password: SECRETS.password },
        fetch: upstream.fetch,
        maxNetworkRetries: 0,
        onRequest: (view) => shown.push(view),
        onResponse: (view) => shown.push(view),
      }),
    );
    // A result is not shown here: it is what the caller asked for.
    await CALLS[operation]?.(client).catch((error: Error) => {
      shown.push(error, String(error), JSON.stringify(error), error.stack);
    });
    expect(shown.length).toBeGreaterThan(0);
    // A login's echo holds no access token of its own, and only what core knows can be blanked.
    const secrets = Object.entries(SECRETS).filter(([name]) => isKnown(name, operation));
    const text = inspect(shown, { depth: 20, showHidden: true });
    for (const [, secret] of secrets) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/(nonce|user)-marker/);
  });
});

/** A call knows the client's secrets and its own; card numbers are found by their form in any text. */
function isKnown(name: string, operation: string): boolean {
  if (name === 'tokenNo') return operation === 'pay' || operation === 'call';
  if (name === 'cvc') return operation === 'createToken' || operation === 'call';
  return name !== 'accessToken' || operation !== 'login';
}
