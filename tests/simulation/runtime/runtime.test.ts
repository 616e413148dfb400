import { afterEach, expect, test } from 'vitest';
import { type Host, type ObjectClass, ObjectRuntime, type ObjectState, resetError } from './objects.ts';
import { createRealTimeHost } from './real-time.ts';
import { Scheduler } from './scheduler.ts';

let runtime: ObjectRuntime;

afterEach(() => runtime.close());

/** One object whose class is written in the test. */
function start<Stub>(objectClass: new (ctx: ObjectState, env: never) => Stub, host: Partial<Host> = {}): Stub {
  runtime = new ObjectRuntime({ ...createRealTimeHost(), ...host });
  // It has the methods of its class, which are all asynchronous.
  return runtime.namespace('THINGS', objectClass as unknown as ObjectClass).getByName('thing') as Stub;
}

class Thing {
  readonly ctx: ObjectState;
  memory = 0;

  constructor(ctx: ObjectState) {
    this.ctx = ctx;
    ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS word (text TEXT NOT NULL)');
  }

  async add(...texts: string[]): Promise<number> {
    for (const text of texts) this.ctx.storage.sql.exec('INSERT INTO word (text) VALUES (?)', text);
    this.memory += 1;
    return this.memory;
  }

  async words(): Promise<string[]> {
    return this.ctx.storage.sql
      .exec('SELECT text FROM word')
      .toArray()
      .map(({ text }) => String(text));
  }
}

test('keeps what was written when the instance ends, and forgets what was in memory', async () => {
  const thing = start(Thing);
  expect(await thing.add('a')).toBe(1);
  expect(await thing.add('b')).toBe(2);
  runtime.restart();
  expect(await thing.words()).toEqual(['a', 'b']);
  expect(await thing.add('c')).toBe(1);
});

test('loses all of a commit or nothing of it', async () => {
  let commits = 0;
  const thing = start(Thing, {
    commit(object, flush) {
      commits += 1;
      if (commits === 1) object.end(resetError());
      else flush();
    },
  });
  await expect(thing.add('a', 'b')).rejects.toThrow('reset');
  expect(await thing.words()).toEqual([]);
  await thing.add('c', 'd');
  expect(await thing.words()).toEqual(['c', 'd']);
});

test('lets no answer out before what was written is on disk', async () => {
  const flushes: (() => void)[] = [];
  const thing = start(Thing, { commit: (_object, flush) => flushes.push(flush) });
  let answer: number | undefined;
  const adding = thing.add('a').then((value) => {
    answer = value;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(answer).toBeUndefined();
  for (const flush of flushes) flush();
  await adding;
  expect(answer).toBe(1);
});

test('undoes a transaction that throws, and the alarm set in it', async () => {
  class Careful extends Thing {
    async fail(): Promise<string> {
      try {
        this.ctx.storage.transactionSync(() => {
          this.ctx.storage.sql.exec("INSERT INTO word (text) VALUES ('inner')");
          void this.ctx.storage.setAlarm(5);
          throw new Error('no');
        });
      } catch {
        this.ctx.storage.sql.exec("INSERT INTO word (text) VALUES ('after')");
      }
      return 'done';
    }
  }
  const thing = start(Careful);
  await thing.fail();
  expect(await thing.words()).toEqual(['after']);
  expect(runtime.object('THINGS', 'thing').store.alarm).toBeNull();
});

test('clones arguments and results', async () => {
  class Box {
    async give(box: { items: number[] }): Promise<{ items: number[] }> {
      box.items.push(2);
      return box;
    }
  }
  const stub = start(Box);
  const box = { items: [1] };
  expect(await stub.give(box)).toEqual({ items: [1, 2] });
  expect(box).toEqual({ items: [1] });
});

test('fails every call under way when the instance ends', async () => {
  class Slow {
    hang(): Promise<never> {
      return new Promise(() => undefined);
    }
  }
  const slow = start(Slow);
  const call = slow.hang();
  await new Promise((resolve) => setImmediate(resolve));
  runtime.restart();
  await expect(call).rejects.toMatchObject({ durableObjectReset: true });
});

test('repeats an alarm that throws, and one that was cut off', async () => {
  const scheduler = new Scheduler(1, 1_000);
  let runs = 0;
  class Ringing extends Thing {
    async set(at: number): Promise<void> {
      await this.ctx.storage.setAlarm(at);
    }
    async alarm(): Promise<void> {
      runs += 1;
      if (runs === 1) throw new Error('not yet');
      if (runs === 2) runtime.restart();
    }
  }
  const thing = start(Ringing, {
    now: () => scheduler.now,
    at(time, label, run) {
      const happening = scheduler.at(time, label, run);
      return () => {
        happening.isCanceled = true;
      };
    },
  });
  await thing.set(5_000);
  await scheduler.run(4_999);
  expect(runs).toBe(0);
  await scheduler.run(100_000);
  expect(runs).toBe(3);
  expect(runtime.object('THINGS', 'thing').store.alarm).toBeNull();
});

test('has the same order of events for the same seed, and another for another', async () => {
  const orderOf = async (seed: number): Promise<string> => {
    const scheduler = new Scheduler(seed, 0);
    const order: number[] = [];
    for (let i = 0; i < 20; i++) scheduler.soon(String(i), () => order.push(i));
    await scheduler.run(0);
    return order.join();
  };
  expect(await orderOf(1)).toBe(await orderOf(1));
  expect(await orderOf(1)).not.toBe(await orderOf(2));
});

test('a world that goes round in circles ends with an error that says where', async () => {
  const scheduler = new Scheduler(1, 0);
  const again = (): unknown => scheduler.soon('again', again);
  again();
  await expect(scheduler.run(1_000)).rejects.toThrow(/No end after \d+ events; the last: again/);
});
