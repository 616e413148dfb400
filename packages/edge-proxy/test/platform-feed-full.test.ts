/** A platform's feed that has grown too large for its object: the oldest events go, and the log says so. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { stopClock } from '../test-support/clock.ts';

const DAY_MS = 24 * 3_600_000;

test('a feed without room lets its oldest events go, however young they are, and the log says so', async () => {
  stopClock();
  const feed = env.FEEDS.getByName('crowded');
  const logged: string[] = [];
  vi.spyOn(console, 'warn').mockImplementation((line: string) => void logged.push(line));
  const told = async (): Promise<number[]> => {
    const { items } = await feed.events({ after: 0, limit: 1_000, patterns: ['*'] });
    return items.map((item) => (JSON.parse(item) as { readonly position: number }).position);
  };
  const append = (from: number, to: number): Promise<void> =>
    feed.append(
      'aurora',
      Array.from({ length: to - from + 1 }, (_, n) => ({
        position: from + n,
        body: JSON.stringify({ id: `ev_${from + n}`, seq: from + n }),
      })),
    );
  const runAlarm = (afterMs: number): Promise<void> => {
    vi.setSystemTime(Date.now() + afterMs);
    return runInDurableObject(feed, (object) => object.alarm());
  };

  await append(1, 500);
  await runAlarm(DAY_MS);
  expect([(await told()).length, logged]).toEqual([500, []]);
  const size = await runInDurableObject(feed, (_object, { storage }) =>
    vi.spyOn(Object.getPrototypeOf(storage.sql) as SqlStorage, 'databaseSize', 'get').mockReturnValue(8_000_000_001),
  );
  await append(501, 502);
  await runAlarm(1_000);
  size.mockRestore();
  expect(await told()).toEqual([501, 502]);
  expect(logged.map((line) => JSON.parse(line))).toEqual([
    { level: 'warn', message: 'platform_feed_full', platform: expect.stringMatching(/crowded$/) },
  ]);
});
