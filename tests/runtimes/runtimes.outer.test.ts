// The smoke suite of the packed package in the runtimes that are installed for it, and in a page.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/guest.ts';
import { installTools } from '../support/toolbox.ts';
import { allOk, type SmokeProject, startSmokeProject } from './smoke-project.ts';
import type { SmokeResults } from './smoke-suite.ts';

let project: SmokeProject;
/** Commands of the other runtimes. */
let bin: string;

beforeAll(async () => {
  bin = join(await installTools('tests/runtimes/tools'), 'node_modules/.bin');
  project = await startSmokeProject();
});
afterAll(() => project?.close());

test('the packed package works on the oldest Node that its engines allow', async ({ skip }) => {
  const oldestNode = join(bin, 'node');
  if (!existsSync(oldestNode)) skip('It is not published for this machine.');
  const manifest = await readFile(join(project.folder, 'node_modules/@innkeep/core/package.json'), 'utf8');
  const { engines } = JSON.parse(manifest) as { engines: { node: string } };
  const { stdout: version } = await promisify(execFile)(oldestNode, ['--version']);
  expect(version.trim()).toBe(`${engines.node.replace('>=', 'v')}.0`);
  const results = await project.run('node22', oldestNode);
  expect(results).toEqual(allOk(results));
});

test.each([
  ['bun', []],
  ['deno', ['run', '-A', '--no-lock']],
])('the packed package works on %s', async (name, args) => {
  const results = await project.run(name, join(bin, name), args);
  expect(results).toEqual(allOk(results));
});

test('the packed package works in Chromium', async () => {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`${project.origin}/files/page.html`);
    await page.waitForFunction('globalThis.isReady === true');
    const results = (await page.evaluate(
      `runSmoke({ upstream: ${JSON.stringify(`${project.origin}/chromium`)}, runtime: 'chromium' })`,
    )) as SmokeResults;
    expect(results).toEqual(allOk(results));
  } finally {
    await browser.close();
  }
});
