// What strangers send: no input may bring anything about but a result or an error of ours. A few thousand inputs in `pnpm test`; ten
// million with FUZZ_RUNS=10000000. FUZZ_SEED replays a run.
import { createHmac, randomInt } from 'node:crypto';
import { type Client, createClient } from '@innkeep/core';
import { isInnkeepError } from '@innkeep/core/errors';
import { readGatewayReply } from '@innkeep/core/gateway';
import { assertTrustedUrl, isTrustedUrl } from '@innkeep/core/hosted';
import { Money } from '@innkeep/core/values';
import { signWebhook, verifyWebhook } from '@innkeep/core/webhooks';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseEnvText, setEnvValue } from '../../packages/cli/dist/property/env-file.js';
import { parsePropertyId, secretNameOf } from '../../packages/cli/dist/property/property.js';
import { cleanAnswer } from '../../packages/core/dist/schemas/clean-answer.js';
import { ANY_CHARACTER } from '../../packages/core/test-support/any-character.ts';
import { TEST_LIMITS } from '../../scripts/test-limits.ts';

const SEED = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
const PROPERTIES = 9;
const numRuns = Math.ceil(Number(process.env.FUZZ_RUNS ?? 3_000) / PROPERTIES);
// Each input takes at most a few milliseconds, so what runs longer than that hangs.
const timeout = TEST_LIMITS.testTimeout + numRuns * 20;
const anyText = fc.string({ unit: ANY_CHARACTER, maxLength: 60 });

function holds<Input>(name: string, inputs: fc.Arbitrary<Input>, check: (input: Input) => void | Promise<void>): void {
  test(`${name} (seed ${SEED})`, { timeout }, () =>
    fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        await check(input);
      }),
      { seed: SEED, numRuns },
    ),
  );
}

/** The result, or the code of our own error. Anything else that is thrown fails the test. */
async function outcomeOf<Result>(work: () => Result | Promise<Result>): Promise<{ result?: Result; code?: string }> {
  try {
    return { result: await work() };
  } catch (error) {
    if (isInnkeepError(error)) return { code: error.code };
    throw error;
  }
}

/** A client of a payment service that answers so. */
function clientOf(customerId: string, answer: typeof fetch): Client {
  return createClient({
    baseUrl: 'https://pay.example/api',
    customerId,
    accessToken: async () => 'token',
    hotel: { hotelID: '1', hotelIDType: 'PMS', user: 'web', timeZone: 'Europe/Vienna' },
    providers: { direct: 'direct', hosted: 'hosted' },
    amountUnit: 'minor',
    maxNetworkRetries: 0,
    fetch: answer,
  });
}

/** What the text is as JSON; undefined when it is none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How a reply may be read. */
function codesFor(body: Uint8Array | string): unknown[] {
  return body.length === 0 ? ['invalid_response'] : [undefined, 'xml_refused', 'gateway_error'];
}

/** Texts put together from pieces that mean something to the reader, and from noise. */
function textOf(pieces: readonly string[]): fc.Arbitrary<string> {
  return fc
    .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...pieces) }, { weight: 1, arbitrary: anyText }), {
      maxLength: 30,
    })
    .map((parts) => parts.join(''));
}

describe('XML', () => {
  const tags = ['<a>', '</a>', '<b x="1"', '/>', '<', '>', '"', "'"];
  const sections = ['<!--', '-->', '<![CDATA[', ']]>', '<?xml version="1.0"?>', '<!DOCTYPE a>'];
  const characters = ['&amp;', '&#13;', '&#x80;', '&#xfdd0;', '&', '\ufdd0', '\ufdd1', '\r\n', '\u0004', '\ud800'];
  const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
  const documents = textOf([...tags, ...sections, ...characters]);

  holds(
    'is read or refused',
    fc.oneof(
      documents,
      documents.map((text) => `<a>${text}</a>`),
    ),
    async (text) => {
      const { code } = await outcomeOf(
        () => readGatewayReply({ contentType: 'text/xml', bytes: encode(text) }).document,
      );
      expect(codesFor(text)).toContain(code);
    },
  );

  holds(
    'of any bytes and any content type is read or refused',
    fc.tuple(
      fc.oneof(fc.uint8Array({ maxLength: 200 }), documents.map(encode)),
      fc.oneof(fc.constantFrom('text/xml', 'text/plain; charset=utf-16le', 'application/xml; charset=x'), anyText),
    ),
    async ([bytes, contentType]) => {
      const { code } = await outcomeOf(() => readGatewayReply({ contentType, bytes: new Uint8Array(bytes) }).text());
      expect(codesFor(bytes)).toContain(code);
    },
  );
});

describe('JSON answers', () => {
  const outcome = ['returnCode', 'returnText', 'state', 'status', 'transactionID', 'requestID', 'tokenNo'];
  const others = ['amount', 'currency', 'viewUrl', 'stateRetrivalUrl', 'access_token', 'expires_in', 'token_type'];
  const names = fc.constantFrom(...outcome, ...others, '__proto__', 'toString');
  const codes = ['0', 0, '1', 1, 2, '096', 96, ' 0 ', '00', '', ' ', null];
  const likely = fc.constantFrom(...codes, 'T-1', 12_000, 'https://pay.example/x', -0, 1e300);
  const answers = fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .dictionary(names, fc.oneof(likely, fc.jsonValue({ maxDepth: 2 })))
        .map((value) => JSON.stringify(value)),
    },
    { weight: 1, arbitrary: fc.json({ maxDepth: 2 }) },
    { weight: 1, arbitrary: anyText },
  );
  const amount = Money.ofMinor(12_000n, 'EUR');
  let answer = '';
  const client = clientOf('4711', async () => new Response(answer));
  const callbacks = { callbackSuccessUrl: 'https://hotel.example/s', callbackAbortUrl: 'https://hotel.example/a' };

  holds('to money calls are a success, a proven decline or unknown', answers, async (text) => {
    answer = text;
    for (const pay of [
      () => client.pay({ tokenNo: 'TK-1', amount }),
      () => client.reversal({ transactionID: 'T-1', amount }),
    ]) {
      const { result, code } = await outcomeOf(pay);
      const { returnCode, transactionID } = Object(parse(text)) as { returnCode?: unknown; transactionID?: unknown };
      if (result !== undefined) {
        expect(String(returnCode).trim()).toBe('0');
        // A large number may hold a card's.
        expect(String(cleanAnswer(transactionID, 'transactionID'))).toBe(result.transactionID);
      } else if (code === 'declined') {
        expect(String(transactionID ?? '').trim()).toBe('');
        expect(['0', '68', '91', '96']).not.toContain(
          String(returnCode)
            .trim()
            .replace(/^0+(?=.)/, ''),
        );
      } else expect(code).toBe('outcome_unknown');
    }
  });

  holds('to all other calls are a result or an error of ours', answers, async (text) => {
    answer = text;
    await outcomeOf(() => client.createToken({ cardNo: '4242424242424242', valid: '2028-12-31' }));
    await outcomeOf(() => client.paystatus({ requestID: 'R-1' }));
    await outcomeOf(() => client.transaction({ requestID: 'R-1' }));
    const init = await outcomeOf(() =>
      client.initpayNoIframe({ amount, cardInfoRefID: 'b', resNo: 'r', ...callbacks }),
    );
    if (init.result !== undefined) expect(init.result.viewUrl.origin).toBe('https://pay.example');
  });
});

describe('webhooks', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const at = new Date('2026-06-01T10:00:00Z');
  const changed = (to: fc.Arbitrary<string>) => fc.option(to, { nil: undefined, freq: 1 });
  const changes = fc.record({
    id: changed(fc.oneof(fc.constant('ev_2'), anyText)),
    timestamp: changed(fc.oneof(fc.integer().map(String), fc.constantFrom('1780308000', '1e9', ' 1780308000', ''))),
    signature: changed(
      fc
        .array(fc.oneof(fc.constantFrom('v1,', 'v1a,', 'SIGNATURE', ' ', '=', ','), fc.base64String()), {
          maxLength: 6,
        })
        .map((parts) => parts.join('')),
    ),
    body: changed(fc.oneof(anyText, fc.constantFrom('{}', '{"id":"ev_1"} '))),
    now: fc.oneof(
      fc.date({ min: new Date(at.getTime() - 600_000), max: new Date(at.getTime() + 600_000), noInvalidDate: true }),
      fc.constant(new Date(Number.NaN)),
    ),
  });

  holds('are accepted only when genuine and fresh', changes, async (change) => {
    const headers = await signWebhook({ id: 'ev_1', timestamp: at, body: '{"id":"ev_1"}', secret });
    const genuine = headers['webhook-signature'] ?? '';
    const id = change.id ?? 'ev_1';
    const timestamp = change.timestamp ?? headers['webhook-timestamp'] ?? '';
    const signature = change.signature?.replaceAll('SIGNATURE', genuine) ?? genuine;
    const body = change.body ?? '{"id":"ev_1"}';
    const sent = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
    const { result, code } = await outcomeOf(() => verifyWebhook(body, sent, secret, { now: change.now }));
    const mac = createHmac('sha256', Buffer.alloc(32, 7)).update(`${id}.${timestamp}.`).update(body).digest('base64');
    const isFresh = Math.abs(change.now.getTime() / 1000 - Number(timestamp)) <= 300;
    if (result !== undefined) expect([signature.includes(`v1,${mac.slice(0, 42)}`), isFresh]).toEqual([true, true]);
    else expect(['webhook_verification_failed', 'invalid_input']).toContain(code);
    const isUntouched = [change.id, change.timestamp, change.signature, change.body].every(
      (each) => each === undefined,
    );
    if (isUntouched && isFresh) expect(result).toEqual({ id: 'ev_1' });
  });
});

describe('addresses', () => {
  const signs = ['https://', 'http://', 'HTTPS:', 'javascript:', '//', '/', '\\', '@', ':', '#', '?', '.'];
  const hosts = ['pay.example', 'evil.example', 'PAY.EXAMPLE', 'ｐay.example', 'localhost', '127.0.0.1', '[::1]'];
  const others = ['。', '%2e', '%00', ':443', ':8443', 'user:pw@', '\t', '\n'];
  const texts = textOf([...signs, ...hosts, ...others]);
  const addresses = fc.oneof(
    texts,
    texts.map((rest) => `https://pay.example${rest}`),
  );

  holds('that are not trusted are never accepted', addresses, async (address) => {
    const trusted = { baseUrl: 'https://pay.example/api', origins: ['https://view.example'] };
    const { result, code } = await outcomeOf(() => assertTrustedUrl(address, 'viewUrl', trusted));
    expect(isTrustedUrl(address, trusted)).toBe(result !== undefined);
    if (result === undefined) return expect(code).toBe('untrusted_url');
    const { protocol, hostname, port, username, password } = result;
    expect([protocol, port, username, password]).toEqual(['https:', '', '', '']);
    return expect(['pay.example', 'view.example']).toContain(hostname);
  });
});

describe('ids', () => {
  const ids = fc.oneof(
    anyText,
    textOf(['.', '..', '/', '\\', '%2e', '%2F', '?', '#', 'AURORA', 'aurora_1', '__proto__', ' ']),
  );

  holds('stay one segment of the path, or are refused', ids, async (customerId) => {
    let url = '';
    const { code } = await outcomeOf(() =>
      clientOf(customerId, async (input) => {
        ({ url } = input as Request);
        return new Response('{}');
      }).call('authorize', {}),
    );
    if (code === 'configuration') return expect(url).toBe('');
    expect(code).toBeUndefined();
    const [, prefix, version, segment, operation, ...rest] = new URL(url).pathname.split('/');
    expect([prefix, version, operation, rest]).toEqual(['api', 'V2', 'authorize', []]);
    return expect(decodeURIComponent(segment ?? '')).toBe(customerId);
  });

  holds('of hotels name one variable, or are refused', ids, (text) => {
    const id = parsePropertyId(text);
    if (id === undefined) return;
    expect(id).toMatch(/^[a-z0-9_]{1,40}$/);
    expect(secretNameOf(id)).toBe(`PROPERTY_${id.toUpperCase()}`);
  });
});

describe('.dev.vars', () => {
  const lines = ['A=1', "B='x'", 'export C = "y"', '# D=2', 'PROPERTY_A=', '\n', '\r\n'];
  const files = textOf([...lines, "'", '"', '`', '\\n', '=', ' ', '$HOME', '\u2028']);

  holds(
    'keeps what is written, and everything else',
    fc.tuple(files, fc.dictionary(anyText, fc.jsonValue({ maxDepth: 2 }))),
    ([before, value]) => {
      const { text } = setEnvValue(before, 'PROPERTY_A', value);
      const [values, earlier] = [parseEnvText(text), parseEnvText(before)];
      // A line that cannot be read stays, and is named.
      if (typeof values === 'number') expect(typeof earlier).toBe('number');
      if (typeof values === 'number' || typeof earlier === 'number') return;
      expect(JSON.parse(values.get('PROPERTY_A') ?? '')).toEqual(JSON.parse(JSON.stringify(value)));
      const others = new Map(earlier).set('PROPERTY_A', '');
      expect(new Map(values).set('PROPERTY_A', '')).toEqual(others);
    },
  );
});
