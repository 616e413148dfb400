import { expect, it } from 'vitest';
import { runCommand } from './run-command.ts';

it('runs the named checks and ends with the count', async () => {
  const { code, output } = await runCommand(['node', 'scripts/check.ts', 'workflows', 'dependencies']);

  expect(output.split('\n').at(-1)).toBe('2 passed, 0 failed');
  expect(code).toBe(0);
});

it('refuses a name that is no check, and says which there are', async () => {
  const { code, output } = await runCommand(['node', 'scripts/check.ts', 'nonsense']);

  expect(output).toMatch(/no check named nonsense.*import-rules/);
  expect(code).toBe(1);
});
