// The desk in React and in Vue, from the packed package. What their checkers say of its types: typings.outer.test.ts.
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, test } from 'vitest';
import { ROOT } from '../../scripts/launch.ts';
import { launchBrowser } from '../support/guest.ts';
import { makePackedProject, type PackedProject } from '../support/packed-project.ts';
import { installTools } from '../support/toolbox.ts';
import { useDesk } from './desk-in-frameworks.ts';

const VITE = join(ROOT, 'packages/widgets/node_modules/.bin/vite');
const MODULES = join(ROOT, 'packages/react/node_modules');

let project: PackedProject;
let browser: Browser;
let tools: string;

beforeAll(async () => {
  tools = await installTools('tests/consumers/tools');
  [project, browser] = await Promise.all([makePackedProject(['desk'], tools), launchBrowser()]);
  for (const name of ['react', 'react-dom'])
    await symlink(join(MODULES, name), join(project.folder, 'node_modules', name));
});
afterAll(async () => {
  await browser?.close();
  await project?.remove();
});

test('a page of Vue sets its secret and hears its events', () =>
  useDesk(browser, project, { name: 'vue', vite: join(tools, 'node_modules/.bin/vite') }));

test('React 19 sets its secret and hears its events', () =>
  useDesk(browser, project, { name: 'react-19', vite: VITE }));

test('React 18 does so by a ref', async () => {
  const alias = { react: join(MODULES, 'react-18'), 'react-dom': join(MODULES, 'react-dom-18') };
  const config = `export default { resolve: { alias: ${JSON.stringify(alias)} } };`;
  await useDesk(browser, project, { name: 'react-18', vite: VITE, more: { 'vite.config.js': config } });
});
