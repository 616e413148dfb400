// The folder that `npm create innkeep -- --what proxy` makes, bundled by wrangler itself.
import { rm } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { runCommandLine } from './run-innkeep.ts';
import { makeWorkerFolder, WRANGLER } from './worker-folder.ts';

it('a dry run has no warning, and shows what each Worker is bound to', async () => {
  const cwd = await makeWorkerFolder();
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const env = { HOME: cwd, WRANGLER_HIDE_BANNER: 'true', WRANGLER_SEND_METRICS: 'false' };
  const words = [WRANGLER, 'deploy', '--dry-run', '--env', 'production'];
  const { exitCode, stdout, stderr } = await runCommandLine(process.execPath, words, { cwd, env });
  expect([exitCode, `${stdout}${stderr}`]).toEqual([0, expect.not.stringMatching(/warning|error/i)]);
  expect(stdout.match(/^env\.\w+ .*(Durable Object|Rate Limit|Assets) *$/gm)).toHaveLength(11);
});
