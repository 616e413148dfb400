import { expect, it } from 'vitest';
import { Caller } from '../../test-support/caller.ts';
import { createSandbox } from '../server/sandbox.ts';
import { Refusal } from './refusal.ts';

it('says in its message which field is refused, and on the wire keeps field and reason apart', async () => {
  const completion = { requestID: 'X', outcome: 'paid' } as const;
  await expect(createSandbox().control.complete(completion)).rejects.toThrow(/^requestID is not a known request$/);
  const { json } = await (await Caller.loggedIn()).json('/__sandbox/complete', completion);
  expect(json).toMatchObject({ field: 'requestID', reason: 'is not a known request' });
});

it('has no field, or masks a card number in its name', () => {
  expect(new Refusal('not_found', 'there is nothing here').message).toBe('there is nothing here');
  const { message } = new Refusal('invalid_request', 'is not a field of this request', '4242424242424242');
  expect(message).toBe('424242......4242 is not a field of this request');
});
