// A runtime that is stopped answers nothing, like one whose only thread is kept busy. A minute passes.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../scripts/launch.ts';
import { ownFolder } from '../support/own-folder.ts';
import { environment } from './support/environment.ts';
import { endLaunched, launch } from './support/launch.ts';

test('a runtime that answers nothing for a minute is killed, and the launcher ends', { timeout: 300_000 }, async () => {
  const root = ownFolder();
  writeFileSync(join(root, 'proxy.env'), environment('http://127.0.0.1:1'), { mode: 0o600 });
  const folders = ['--env', join(root, 'proxy.env'), '--data', join(root, 'data')];
  const proxy = launch(['--port', String(await freePort()), ...folders]);
  onTestFinished(() => endLaunched('SIGKILL'));
  await proxy.ready();
  process.kill(Number(readFileSync(join(root, 'data/workerd.pid'), 'utf8')), 'SIGSTOP');
  expect(await proxy.ended).toBe(1);
  expect(proxy.output()).toContain('The runtime has not answered for a minute, so it is killed.');
});
