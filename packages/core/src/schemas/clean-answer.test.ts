// A payment service that puts what must go nowhere into every field of every answer.
import type * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { fakeUpstream, readSample, sampleOptions, sampleResponse } from '../../test-support/fake-upstream.ts';
import { OPERATIONS } from '../../test-support/operations.ts';
import type { Client } from '../client.ts';
import { cleanAnswer } from './clean-answer.ts';
import type * as reading from './parse-answer.ts';

/** Fields by operation, as the schemas have them by which the answers were read. */
const read = new Map<string, Set<string>>();
// The client of this file alone notes them: files share what they import.
vi.resetModules();
vi.doMock('./parse-answer.ts', async (original) => {
  const actual = await original<typeof reading>();
  const noting =
    <Rest extends unknown[], Result>(parse: (operation: string, schema: never, ...rest: Rest) => Result) =>
    (operation: string, schema: never, ...rest: Rest): Result => {
      const { entries } = schema as v.ObjectSchema<v.ObjectEntries, undefined>;
      read.set(operation, new Set([...(read.get(operation) ?? []), ...Object.keys(entries)]));
      return parse(operation, schema, ...rest);
    };
  return { ...actual, parseAnswer: noting(actual.parseAnswer), parseAccepted: noting(actual.parseAccepted) };
});
const { createClient } = await import('../client.ts');
vi.doUnmock('./parse-answer.ts');
vi.resetModules();

const CANARIES: Readonly<Record<string, unknown>> = {
  'a card number': '5105105105105100',
  'a card number in groups': 'card 5105 1051-0510 5100!',
  'a card number that is a number': 5_105_105_105_105_100,
  'digits without an end': '5105105105105100'.repeat(100),
  'most of a card number that is cut': `${'7'.repeat(100)} ${'x'.repeat(944)}5105105105105100`,
  'a very long text': 'A1 '.repeat(6_000),
  'control characters': '\u0000\u001b[31m\u009b\u202e\ud800',
  'a card number in a list': [{ deep: ['5105105105105100'] }],
};

/** What somebody calculates with must stay a number. */
const FIGURES: ReadonlySet<string> = new Set([
  'amount',
  'surchargeAmount',
  'surchargePercentUsed',
  'expires_in',
  'state',
]);

const fieldsOf = (operation: string, answer: object): string[] => [
  ...new Set([...(read.get(operation) ?? []), ...Object.keys(answer), 'returnText', 'returnTextSP', 'unheardOf']),
];

describe.each(Object.keys(OPERATIONS))('of an answer to %s', (operation) => {
  const { run, sample } = OPERATIONS[operation] as NonNullable<(typeof OPERATIONS)[string]>;
  const answers = operation === 'call' ? [{ returnCode: '0' }] : answersOf(sample);

  it.each(Object.keys(CANARIES))('no field brings %s anywhere', async (canary) => {
    await act(operation, run, answers[0] as object);
    const tried: string[] = [];
    for (const answer of answers) {
      for (const field of fieldsOf(operation, answer)) {
        tried.push(field);
        if (FIGURES.has(field) && typeof CANARIES[canary] === 'number') continue;
        const shown = await act(operation, run, { ...answer, [field]: CANARIES[canary] });
        expect(problems(shown), field).toEqual([]);
        const declined = await act(operation, run, { ...answer, returnCode: '5', [field]: CANARIES[canary] });
        expect(problems(declined), `${field} of a decline`).toEqual([]);
      }
    }
    expect(tried).toEqual(expect.arrayContaining([...(read.get(operation) ?? [])]));
    // An operation without a function of its own has no schema.
    expect(read.has(operation)).toBe(operation !== 'call');
  });
});

it.each([
  [`${'5105105105105100'.replaceAll('5', '%35')}%00%1B!`, '[redacted]\ufffd\ufffd!'],
  ['Card+5105+1051+0510+5100+refused%21', 'Card [redacted] refused!'],
  ['Card%205105%2D1051%2D0510%2D5100%20refused', 'Card [redacted] refused'],
  ['5105%2D1051%2D0510%2D5100+in+%5B1%5D+%FC', '[redacted] in [1] ü'],
])(
  'what was escaped in the text of a failure is found as well, wherever it is shown: %s',
  async (escaped, errorText) => {
    const shown: { body?: { result?: string } }[] = [];
    const status = await clientOf({ state: 2, result: `ERROR=${escaped}` }, shown).paystatus({ requestID: 'R-1' });
    expect(status).toMatchObject({ state: 'error', errorText });
    const result = `ERROR=${encodeURI(errorText)}`;
    expect(status.raw).toEqual({ state: 2, result });
    expect(shown.at(-1)).toMatchObject({ body: { result } });
  },
);

it('the escaped text of a failure stays as it came when nothing is wrong with it', async () => {
  const result = 'ERROR=100%25+sure%2C+Z%FCrich+%zz';
  expect((await clientOf({ state: 2, result }).paystatus({ requestID: 'R-1' })).raw).toEqual({ state: 2, result });
});

describe('an answer', () => {
  it('keeps ids that are no card numbers, whatever their check digit says', () => {
    const answer = { transactionID: '20261122143012', requestID: '1763820000127', paymentObjID: 'PAYOBJID=7701' };
    expect(cleanAnswer(answer)).toEqual(answer);
    expect(cleanAnswer({ transactionID: 'x5105105105105100', requestID: '5105105105105100', token: 'T' })).toEqual({
      transactionID: 'x[redacted]',
      token: 'T',
    });
  });

  it('keeps a UUID, though some look as if they held a card number', () => {
    const uuid = '6c496450-7573-460d-b7c7-a02c72f42371';
    const answer = { access_token: uuid, requestID: uuid.toUpperCase(), transactionID: uuid, token: uuid };
    expect(cleanAnswer(answer)).toEqual(answer);
    expect(cleanAnswer({ transactionID: '51051051-0510-5100-0000-000000000000' })).not.toMatchObject({
      transactionID: expect.stringContaining('5105'),
    });
  });

  it('never becomes a success by what is taken out of it', () => {
    const codes = ['0\u0000', `0${' '.repeat(2_000)}5`, '0\u202e'].map(
      (returnCode) => (cleanAnswer({ returnCode }) as { returnCode: string }).returnCode,
    );
    expect(codes.map((code) => code.trim())).not.toContain('0');
  });

  it('that is larger than any documented one is none', () => {
    expect(
      cleanAnswer(Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`n${index}`, 1]))),
    ).toBeUndefined();
    let deep: unknown = 'x';
    for (let level = 0; level < 10_000; level++) deep = [deep];
    expect(cleanAnswer({ deep })).toEqual({ deep: [[[undefined]]] });
  });
});

it('an answer is redacted for whoever reads it, and for nobody else', async () => {
  const views: { body?: unknown }[] = [];
  await createClient(
    sampleOptions({ fetch: fakeUpstream([{ state: 0 }]).fetch, onResponse: (view) => void views.push(view) }),
  ).paystatus({ requestID: 'R-1' });
  const [, view] = views;
  expect(Object.getOwnPropertyDescriptor(view, 'body')?.get).toBeTypeOf('function');
  expect(JSON.parse(JSON.stringify(view))).toMatchObject({ body: { state: 0 } });
});

function answersOf(name: string): object[] {
  const sample = readSample(name);
  return Object.keys(sample.responses).map((response) => sampleResponse(sample, response));
}

function clientOf(answer: object, shown: unknown[] = []): Client {
  const show = (view: object): void => void shown.push(JSON.parse(JSON.stringify(view)));
  const fetch = async (): Promise<Response> => Response.json(answer);
  const accessToken = async (): Promise<string> => 'token-1';
  const access = 'expires_in' in answer ? {} : { credentials: undefined, accessToken };
  return createClient(sampleOptions({ fetch, maxNetworkRetries: 0, onRequest: show, onResponse: show, ...access }));
}

/** Everything that a call lets out. */
async function act(operation: string, call: (client: Client) => Promise<unknown>, answer: object): Promise<unknown[]> {
  const shown: unknown[] = [];
  await call(clientOf(answer, shown)).then(
    (result) => shown.push(result),
    (error: Error) => shown.push(JSON.parse(JSON.stringify(error)), error.message, String(error.cause)),
  );
  expect(shown.length, operation).toBeGreaterThan(1);
  return shown;
}

/** What is wrong with anything in a value, names of members included. */
function problems(value: unknown): string[] {
  if (typeof value === 'number') return problemsOfText(String(value));
  if (typeof value === 'string') return problemsOfText(value);
  if (value instanceof URL) return problemsOfText(value.href);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [...problemsOfText(name), ...problems(member)]);
}

function problemsOfText(text: string): string[] {
  return [
    ...(text.replaceAll(/[\s-]/g, '').includes('510510510510510') ? ['a card number'] : []),
    ...(/[\p{Cc}\p{Surrogate}\u202e]/u.test(text) ? ['a control character'] : []),
    ...(text.length > 1_001 ? ['a long text'] : []),
  ];
}
