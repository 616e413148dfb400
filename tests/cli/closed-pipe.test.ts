// `innkeep … | head`: whoever reads has heard enough, and that is no failure.
import { expect, it } from 'vitest';
import { spawnInnkeep } from './run-innkeep.ts';

it('ends quietly when nobody reads its output any more', async () => {
  const run = await spawnInnkeep(['--help'], { onStart: (child) => child.stdout?.destroy() });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
});
