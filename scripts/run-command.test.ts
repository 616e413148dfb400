import { expect, it } from 'vitest';
import { inParallel, runCommand } from './run-command.ts';

it('returns what a command printed on both streams, and its exit code', async () => {
  const result = await runCommand(['node', '-e', 'console.log("out"); console.error("err"); process.exitCode = 3']);
  expect(result).toMatchObject({ code: 3, output: expect.stringMatching(/out[\s\S]*err|err[\s\S]*out/) });
});

it('fails for a command that does not exist', async () => {
  await expect(runCommand(['no-such-tool'])).resolves.toMatchObject({
    code: 1,
    output: expect.stringContaining('no-such-tool'),
  });
});

it('stops a command that hangs, and says so', async () => {
  const result = await runCommand(['node', '-e', 'setInterval(() => {}, 1000)'], { timeoutMs: 300 });
  expect(result).toMatchObject({ code: 1, output: expect.stringContaining('after 300 ms') });
});

it('keeps to the limit and to the order of the tasks', async () => {
  let running = 0;
  let most = 0;
  const task = (value: number) => async (): Promise<number> => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    return value;
  };

  await expect(inParallel(2, [1, 2, 3, 4, 5].map(task))).resolves.toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});
