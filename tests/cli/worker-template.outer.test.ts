// The folder that `npm create innkeep -- --what proxy` makes, bundled by wrangler itself.
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCommandLine } from './run-innkeep.ts';
import { type Environment, makeWorkerFolder, readEnvironments, WRANGLER } from './worker-folder.ts';

it('a dry run has no warning, and shows what each Worker is bound to', async () => {
  const cwd = await makeWorkerFolder();
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const env = { HOME: cwd, WRANGLER_HIDE_BANNER: 'true', WRANGLER_SEND_METRICS: 'false' };
  const words = [WRANGLER, 'deploy', '--dry-run', '--env', 'production'];
  const { exitCode, stdout, stderr } = await runCommandLine(process.execPath, words, { cwd, env });
  expect([exitCode, `${stdout}${stderr}`]).toEqual([0, expect.not.stringMatching(/warning|error/i)]);
  expect(stdout.match(/^env\.\w+ .*(Durable Object|Rate Limit|Assets) *$/gm)).toHaveLength(11);
});

it('wrangler reads each environment as worker-template.test.ts does', async () => {
  const folder = await makeWorkerFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { unstable_readConfig: read } = createRequire(WRANGLER)('wrangler') as {
    unstable_readConfig(args: { config: string; env?: string }): Environment;
  };
  const config = join(folder, 'wrangler.jsonc');
  for (const [env, { main, ...expected }] of Object.entries(readEnvironments())) {
    const { main: entry, ...found } = read({ config, ...(env !== 'none' && { env }) });
    expect(found).toMatchObject({
      name: expected.name,
      durable_objects: expected.durable_objects,
      ratelimits: expected.ratelimits,
      migrations: expected.migrations,
    });
    expect(entry).toBe(main && join(folder, main));
  }
});
