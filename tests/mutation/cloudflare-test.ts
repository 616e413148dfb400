/** `cloudflare:test` of the simulation, with the pause that workerd takes before a test goes on: what an object began may end. */
import { setImmediate } from 'node:timers/promises';
import { runInDurableObject as run, runDurableObjectAlarm as runAlarm } from '../simulation/runtime/cloudflare-test.ts';

export {
  env,
  evictDurableObject,
  listDurableObjectIds,
  provideRuntime,
  reset,
} from '../simulation/runtime/cloudflare-test.ts';

export const runInDurableObject: typeof run = async (stub, work) => {
  const result = await run(stub, work);
  await pause();
  return result;
};

export const runDurableObjectAlarm: typeof runAlarm = async (stub) => {
  const result = await runAlarm(stub);
  await pause();
  return result;
};

async function pause(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
}
