import { ReversalSchema } from '@innkeep/core/contract';
import { describe, expect, it } from 'vitest';
import { example } from '../../test-support/example.ts';
import { type Answers, fakeIo } from '../../test-support/fake-io.ts';
import { run } from '../program/run.ts';

const PAYMENT = 'cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E';
const ENV = { INNKEEP_ENDPOINT: 'https://pay.hotel.example', INNKEEP_SECRET_KEY: 'sk_test_1' };

/** Runs the command with a proxy that refunds whatever it is asked for. */
async function give(words: readonly string[], answers?: Answers) {
  const bodies: unknown[] = [];
  const fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    bodies.push(await new Request(input, init).json());
    return Response.json(example(ReversalSchema, { payment: PAYMENT }), { status: 201 });
  };
  const io = fakeIo({ cwd: '/', env: ENV, fetch, ...(answers && { answers }) });
  const exitCode = await run(['reversal', 'create', PAYMENT, ...words], io);
  return { exitCode, bodies, questions: io.questions, stderr: io.stderr() };
}

describe('reversal create', () => {
  it('at a terminal asks before anything is refunded', async () => {
    const refused = await give(['--amount', '20.00', 'EUR'], { Refund: false });
    expect(refused).toMatchObject({ exitCode: 130, bodies: [] });
    expect(refused.questions).toEqual([`Refund 20.00 EUR of ${PAYMENT}?`]);
    expect(refused.stderr).toContain('Nothing was refunded.');

    const confirmed = await give([], { Refund: true });
    expect(confirmed).toMatchObject({ exitCode: 0, bodies: [{ payment: PAYMENT }] });
    expect(confirmed.questions).toEqual([`Refund all that is left of ${PAYMENT}?`]);
  });

  it('names the attempt of a session that was paid twice', async () => {
    const { questions, bodies } = await give(['--attempt', '2'], { Refund: true });
    expect(questions).toEqual([`Refund all that is left of attempt 2 of ${PAYMENT}?`]);
    expect(bodies).toEqual([{ payment: PAYMENT, attempt: 2 }]);
  });

  it('in a script asks nobody', async () => {
    expect(await give([])).toMatchObject({ exitCode: 0, bodies: [{ payment: PAYMENT }], questions: [] });
  });

  it('says that it is a second one of the same amount only when it is told so', async () => {
    const { bodies } = await give(['--amount', '20.00', 'EUR', '--allow-duplicate']);
    expect(bodies).toEqual([{ payment: PAYMENT, amount: { value: 2_000, currency: 'EUR' }, allowDuplicate: true }]);
  });
});
