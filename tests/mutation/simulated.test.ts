/** Random histories against the objects as they are here: what no test of the proxy notices may break a rule of the simulation. */
import { expect, test } from 'vitest';
import { CORPUS, type FoundHistory, historyOf, playHistory } from '../simulation/run.ts';

const AT_ONCE = 20;

async function broken(history: FoundHistory): Promise<string[]> {
  const { violations } = await playHistory(history, { suppress: history.suppress ?? [] });
  // Plans are kept for the whole process, those of the tests' own queries among them.
  return violations.filter(({ rule }) => rule !== 'queries-bounded').map(({ rule, what }) => `${rule}: ${what}`);
}

test.each(CORPUS)('what has failed once does not fail again: $name', async ({ history }) => {
  expect(await broken(history)).toEqual([]);
});

// As long as a machine with other work may take.
const PATIENT = { timeout: 20_000 };

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])('every rule holds in histories, part %i', PATIENT, async (part) => {
  for (let nth = 0; nth < AT_ONCE; nth++) {
    const seed = part * 1_000 + nth;
    expect(await broken(historyOf(seed)), `seed ${seed}`).toEqual([]);
  }
});
