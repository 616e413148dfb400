import { expect, test } from 'vitest';
import { MoneyStorage } from './money-storage.ts';

test('what is written is called safe once the disk says so, and not before', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  // Nothing else of it is used here.
  const storage = new MoneyStorage({ sync: () => promise } as unknown as DurableObjectStorage);
  let isSafe = false;
  const syncing = storage.sync().then(() => {
    isSafe = true;
  });
  await Promise.resolve();
  expect(isSafe).toBe(false);
  resolve();
  await syncing;
  expect(isSafe).toBe(true);
});
