// Prevents: a sandbox that gets slow or grows without end under a storm test.
import { expect, it } from 'vitest';
import { Caller } from '../../packages/sandbox/test-support/caller.ts';

const REQUESTS = 400;
const POLLS = 2_000;
const LOGGED = 1_000;

/** Steps of every walk over a list or a map, which is how work would grow with what is remembered. */
async function stepsOf(work: () => Promise<unknown>): Promise<number> {
  let steps = 0;
  const iterators = [[][Symbol.iterator](), new Map().values()].map((one) => Object.getPrototypeOf(one));
  const lists = ['find', 'findIndex', 'findLast', 'filter', 'some', 'every', 'map', 'reduce', 'forEach'] as const;
  const restore = [
    ...iterators.map((prototype) => count(prototype, 'next', () => 1)),
    ...lists.map((name) => count(Array.prototype, name, (list) => list.length)),
    count(Map.prototype, 'forEach', (map) => map.size),
  ];
  try {
    await work();
  } finally {
    for (const each of restore) each();
  }
  return steps;

  function count<Owner extends object>(owner: Owner, name: keyof Owner, stepsIn: (self: Owner) => number): () => void {
    const own = owner[name] as (...args: unknown[]) => unknown;
    owner[name] = function (this: Owner, ...args: unknown[]): unknown {
      steps += stepsIn(this);
      return Reflect.apply(own, this, args);
    } as Owner[keyof Owner];
    return () => {
      owner[name] = own as Owner[keyof Owner];
    };
  }
}

it('answers status with the same work however much it remembers, and forgets old log lines', async () => {
  const caller = await Caller.loggedIn({ limits: { requests: LOGGED } });
  const { sandbox } = caller;
  const first = (await caller.initpay()).json.requestID;
  const poll = () => caller.paystatus(first);
  await poll();
  const empty = await stepsOf(poll);
  for (let nth = 0; nth < REQUESTS; nth += 1) await caller.initpay();
  for (let nth = 0; nth < POLLS; nth += 1) await poll();

  const { hosted } = sandbox.control.ledger();
  expect(hosted.length).toBe(REQUESTS + 1);
  expect(hosted[0]?.polls).toBe(POLLS + 2);
  expect(sandbox.control.requests().requests.length).toBe(LOGGED);
  expect(await stepsOf(poll)).toBeLessThan(empty + 20);
  expect(await stepsOf(async () => sandbox.control.ledger())).toBeGreaterThan(REQUESTS);
});
