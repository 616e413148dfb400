import { beforeEach, expect, test, vi } from 'vitest';
import { objectByName, UPSTREAM_ANSWER_LIMIT_MS } from './object-by-name.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

/** A namespace of one object; what it says is where it lives. */
function namespaceOf(members: object, place = 'anywhere') {
  return {
    getByName: (name: string) => ({ ...members, name, place }),
    jurisdiction: (which: string) => namespaceOf(members, which),
  } as unknown as DurableObjectNamespace<Rpc.DurableObjectBranded>;
}

type Stub = Record<string, (...args: unknown[]) => Promise<unknown>> & {
  readonly name: string;
  readonly place: string;
};

function stubOf(members: object, JURISDICTION?: string, limitMs?: number): Stub {
  const placement = JURISDICTION === undefined ? {} : { JURISDICTION };
  return objectByName(namespaceOf(members), 'cs_1', placement, { limitMs }) as unknown as Stub;
}

test.each([
  [undefined, 'anywhere'],
  ['', 'anywhere'],
  ['eu', 'eu'],
])('with the jurisdiction %j an object lives %s', (jurisdiction, place) => {
  expect(stubOf({}, jurisdiction)).toMatchObject({ name: 'cs_1', place });
});

test('calls are made of the object itself, with their arguments, and their answers handed on', async () => {
  const stub = stubOf({
    async add(this: { place: string }, left: number, right: number) {
      return [this.place, left + right];
    },
    async fail() {
      throw new TypeError('broken');
    },
  });
  expect(await stub.add?.(1, 2)).toEqual(['anywhere', 3]);
  await expect(stub.fail?.()).rejects.toThrow('broken');
  expect(vi.getTimerCount()).toBe(0);
});

test('what is no method by name is handed on as it is', () => {
  const symbol = Symbol('method');
  const method = (): string => 'as it is';
  const stub = stubOf({ [symbol]: method }) as unknown as Record<symbol, unknown>;
  expect(stub[symbol]).toBe(method);
});

test.each([
  [undefined, 10],
  [UPSTREAM_ANSWER_LIMIT_MS, 60],
])('a call that is not answered within %s ms is rejected after %i seconds', async (limitMs, seconds) => {
  const stub = stubOf({ append: () => new Promise(() => undefined) }, undefined, limitMs);
  let error: unknown;
  const call = stub.append?.().catch((thrown: unknown) => {
    error = thrown;
  });
  await vi.advanceTimersByTimeAsync(seconds * 1_000 - 1);
  expect(error).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  await call;
  expect(error).toMatchObject({ name: 'TimeoutError' });
});
