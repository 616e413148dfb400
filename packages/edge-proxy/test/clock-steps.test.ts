/** A clock that is set back or forward under a payment: NTP after boot, a virtual machine that was restored. */
import { expect, test } from 'vitest';
import { startSession } from '../test-support/client.ts';
import { useFakes } from '../test-support/harness.ts';
import { passSeconds, poll } from '../test-support/objects.ts';

const fakes = useFakes();
const HOUR = 3_600;

test('set back while an error is held for an abort, it is held once more and no longer', async () => {
  const { id } = await startSession();
  fakes.upstream.fail(id);
  await poll(id, 1);
  passSeconds(-HOUR);
  await poll(id, 1);
  await poll(id, 5);
  expect(await poll(id, 5)).toMatchObject({ attempts: [{ status: 'failed' }] });
});

test('set forward, an attempt that was asked about before is asked about again before it is abandoned', async () => {
  const { id } = await startSession();
  await poll(id, 20);
  fakes.upstream.pay(id);
  expect(await poll(id, HOUR + 60)).toMatchObject({ status: 'succeeded', late: false });
});
