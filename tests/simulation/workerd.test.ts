import { expect, test } from 'vitest';
import { compareWithWorkerd } from './compare-with-workerd.ts';

/** `workerd.outer.test.ts` plays more. */
const HISTORIES = Number(process.env.WORKERD_HISTORIES ?? 25);
const SEED = process.env.SIMULATION_SEED ?? '20261123';

test(`${HISTORIES} histories with kills end in workerd as they end in the simulation (seed ${SEED})`, async () => {
  const { real, simulated, kills } = await compareWithWorkerd(SEED, HISTORIES);
  expect(kills).toBe(2);
  expect(real).toEqual(simulated);
});
