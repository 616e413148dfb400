import { beforeEach, expect, test } from 'vitest';
import { merchant } from '../test-support/client.ts';
import { configureCollector, FakeCollector } from '../test-support/fake-collector.ts';
import { charge, useMoneyFakes } from '../test-support/money.ts';
import { passSeconds, runLedgerAlarm } from '../test-support/objects.ts';

await configureCollector();
const fakes = useMoneyFakes('STANDING');
let collector: FakeCollector;

beforeEach(() => {
  collector = new FakeCollector(fakes.upstream);
});

/** The newest figure of unknown charges; undefined when none was exported since the last time. */
async function unresolved(): Promise<number | undefined> {
  await collector.flush();
  const found = collector.points.filter(
    ({ metric, attributes }) =>
      metric === 'innkeep.outcome.unresolved' &&
      attributes['innkeep.kind'] === 'charge' &&
      attributes['innkeep.property'] === 'aurora',
  );
  await collector.clear();
  return found.at(-1)?.count;
}

test('the number of unknown outcomes is told every five minutes as long as there is one, then once that there is none', async () => {
  fakes.upstream.overrides.pay = () => Promise.reject(new TypeError('Network connection lost.'));
  const unknown = await charge(fakes.key('lost'), { reference: fakes.reference });
  expect(unknown.status).toBe('unknown');
  await expect.poll(unresolved).toBe(1);
  for (let round = 0; round < 3; round++) {
    passSeconds(300);
    await runLedgerAlarm();
    expect(await unresolved()).toBe(1);
  }
  const evidence = { status: 'failed', evidence: 'not in the portal' };
  const resolved = await merchant(`/v1/charges/${unknown.id}/resolve`, { method: 'POST', body: evidence });
  expect(resolved.status).toBe(200);
  await expect.poll(unresolved).toBe(0);
  passSeconds(300);
  await runLedgerAlarm();
  expect(await unresolved()).toBeUndefined();
});
