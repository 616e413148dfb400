/** Payments that do not answer: every call of one has a time limit, and what its end means is right where it was made. */
import { afterEach, expect, test, vi } from 'vitest';
import { MoneyOperationObject } from '../src/money/money-operation-object.ts';
import { charge, postReversal, read, runDue, storedTasks, storedText, useMoneyFakes } from '../test-support/money.ts';
import { ids } from '../test-support/objects.ts';
import { expectProblem } from '../test-support/problem.ts';
import { endTimeLimit } from '../test-support/time-limit.ts';

const fakes = useMoneyFakes('MUTE');
let isOver = false;
/** Whether an object was asked that does not answer now: nothing else reaches a limit, however slow the machine is. */
let isMute = false;

/** Waits where it was called, until the test is over: the runtime ends what waits for nothing. */
async function never(): Promise<never> {
  isMute = true;
  while (!isOver) await scheduler.wait(5);
  throw new Error('the test is over');
}

afterEach(async () => {
  isOver = true;
  await scheduler.wait(20);
});

const reversalId = (): Promise<string> => ids.derive('rv', ['aurora', 'reversal', fakes.key('r')]);

test('a reversal whose payment does not answer is refused, and keeps the claim until the payment has heard', async () => {
  const { id } = await charge(fakes.key('paid'), { reference: fakes.reference });
  const reversal = await reversalId();
  endTimeLimit(10_000, () => isMute);
  const reserving = vi.spyOn(MoneyOperationObject.prototype, 'reserveReversal').mockImplementation(never);
  await expectProblem(postReversal(fakes.key('r'), { payment: id }), 503, { code: 'upstream_unavailable' });
  expect(fakes.upstream.count('reversal')).toBe(0);
  expect(await storedTasks(reversal)).toHaveProperty('release');
  const settling = vi.spyOn(MoneyOperationObject.prototype, 'settleReversal').mockImplementation(never);
  await runDue(reversal, 'release');
  expect(await storedTasks(reversal)).toHaveProperty('release');
  for (const spy of [reserving, settling]) spy.mockRestore();
  isMute = false;
  await runDue(reversal, 'release');
  expect(await storedText(reversal)).toBe('');
  expect(await read(id)).toMatchObject({ reversing: { value: 0 } });
});
