/** The long simulation. */
import { expect, test } from 'vitest';
import { SEED, simulate } from './simulate-command.ts';

const HISTORIES = 2_000;
/** Not those of `simulation.test.ts`. */
const FIRST = SEED + 1_000_000;

test(`every rule holds in ${HISTORIES} histories from seed ${FIRST}`, () => {
  const { status, output } = simulate('--histories', String(HISTORIES), '--seed', String(FIRST));
  expect(status, output).toBe(0);
});

test('the same seed tells the same story, to the byte, whatever was played before', () => {
  const many = simulate('--tell', '--histories', '20', '--seed', '1');
  const last = simulate('--tell', '--histories', '1', '--seed', '20');
  expect(last.output.length).toBeGreaterThan(500);
  expect(many.output.endsWith(last.output)).toBe(true);
});
