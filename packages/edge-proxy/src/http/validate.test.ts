import { Hono } from 'hono';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { ProblemError } from './problem.ts';
import { jsonBody } from './validate.ts';

/** What is answered to a body: its value, or the refusal. */
async function answerTo(
  body: BodyInit,
  type = 'application/json',
  schema: v.GenericSchema = v.unknown(),
): Promise<unknown> {
  const app = new Hono().post('/', jsonBody(schema, { mayHoldLists: true }), (c) =>
    c.json({ taken: c.req.valid('json') }),
  );
  app.onError((error, c) => {
    if (!(error instanceof ProblemError)) return c.json({ code: error.name });
    return c.json({ code: error.code, ...error.details });
  });
  const answer = await app.request('/', { method: 'POST', body, headers: { 'content-type': type } });
  return answer.json();
}

test.each([
  'application/json',
  'Application/JSON',
  'application/json;',
  'application/json;charset=utf-8',
  'application/json ;  charset="UTF-8"',
])('a body may come as %s', async (type) => {
  expect(await answerTo('{"a":1}', type)).toEqual({ taken: { a: 1 } });
});

test.each([
  '',
  'text/plain',
  'application/x-www-form-urlencoded',
  'x-application/json',
  'application/jsonx',
  'application/json;xcharset=utf-8',
  'application/json; charset=utf-8x',
  'application/json; charset=latin1',
])('and not as %s', async (type) => {
  const detail = expect.stringContaining('UTF-8');
  const refusal = { code: 'unsupported_media_type', param: 'Content-Type', detail };
  expect(await answerTo('{"a":1}', type)).toMatchObject(refusal);
});

test.each([
  ['bytes that are no UTF-8', [0x22, 0xff, 0x22], { code: 'invalid_request', param: 'body' }],
  // What Hono throws; the app says that it is not JSON.
  ['a byte order mark before it', [0xef, 0xbb, 0xbf, 0x31], { code: 'Error' }],
])('a body with %s is not read', async (_, bytes, refusal) => {
  expect(await answerTo(new Uint8Array(bytes))).toMatchObject(refusal);
});

test('no memory is kept that a piece of a body does not fill', async () => {
  const memory = new Uint8Array(4_096);
  const pieces = new TextEncoder().encode('{"a":12}').values();
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { done, value } = pieces.next();
        if (done) return controller.close();
        // Whoever keeps the piece, and with it all of the memory, finds the last byte in it.
        memory[0] = value;
        controller.enqueue(memory.subarray(0, 1));
      },
    },
    { highWaterMark: 0 },
  );
  expect(await answerTo(body)).toEqual({ taken: { a: 12 } });
});

test('below the first object there may be sixteen more, one in the other', async () => {
  const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  expect(await answerTo(nested(17))).toHaveProperty('taken');
  const refusal = { code: 'invalid_request', detail: 'The body is nested too deeply' };
  expect(await answerTo(nested(18))).toMatchObject(refusal);
});

test('a list is no body, and may be in one where the schema has it', async () => {
  expect(await answerTo('[1]')).toMatchObject({ detail: 'Must not be a list', param: 'body' });
  expect(await answerTo('{"a":[1]}')).toHaveProperty('taken');
  const detail = 'maxReversal must be an object such as {"EUR":500000}';
  for (const [body, param] of [
    ['{"maxReversal":[]}', 'maxReversal'],
    ['{"keys":[{"maxReversal":[]}]}', 'keys'],
  ] as const) {
    expect(await answerTo(body)).toEqual({ code: 'invalid_request', detail, param });
  }
});

test.each<[unknown, v.GenericSchema, string]>([
  ['aaaa', v.pipe(v.string(), v.maxLength(3)), 'Must have at most 3 characters'],
  ['', v.pipe(v.string(), v.minLength(1)), 'Must not be empty'],
  [0, v.pipe(v.number(), v.minValue(1)), 'Must be at least 1'],
  [2, v.pipe(v.number(), v.maxValue(1)), 'Must be at most 1'],
  [1.5, v.pipe(v.number(), v.safeInteger()), 'Must be a whole number'],
  [null, v.array(v.string()), 'Must be a list'],
  ['c', v.picklist(['a', 'b']), 'Must be a or b'],
  [
    'c',
    v.pipe(
      v.string(),
      v.check(() => false),
    ),
    'Must be something else',
  ],
])('%j is refused in plain words', async (a, schema, detail) => {
  const answer = await answerTo(JSON.stringify({ a }), undefined, v.object({ a: schema }));
  expect(answer).toMatchObject({ detail, param: 'a' });
});
