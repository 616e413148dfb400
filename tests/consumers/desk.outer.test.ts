// The desk on a page of React and of Vue, from the packed package, built by Vite: does its secret arrive, and is its event heard? What their
// checkers say of its types: typings.outer.test.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../scripts/launch.ts';
import { openDeskPage } from '../support/fake-desk.ts';
import { launchBrowser } from '../support/guest.ts';
import { makePackedProject, type PackedProject } from '../support/packed-project.ts';
import { installTools, runTool } from '../support/toolbox.ts';

/** What each page says its desk is; how it is written there is its own. */
const DESK = { endpoint: 'https://pay.example', secret: 'ds_framework' };

const REACT = `
import '@innkeep/desk/define';
import { createElement, useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';

const getClientSecret = async () => '${DESK.secret}';
createRoot(document.getElementById('app')).render(createElement(Desk));
`;
const MODULES = join(ROOT, 'packages/react/node_modules');
const VITE = join(ROOT, 'packages/widgets/node_modules/.bin/vite');
const REACT_18 = { react: join(MODULES, 'react-18'), 'react-dom': join(MODULES, 'react-dom-18') };

/** Pages by their framework: files of a folder, of which `index.html` loads `main.js`. */
const PAGES: Readonly<Record<'react-19' | 'react-18' | 'vue', Readonly<Record<string, string>>>> = {
  'react-19': {
    'main.js': `${REACT}
function Desk() {
  const [found, setFound] = useState('');
  const onFilter = ({ detail }) => setFound(detail.filter.q);
  const desk = createElement('payments-desk', { endpoint: '${DESK.endpoint}', getClientSecret, 'ondesk-filter': onFilter });
  return createElement('main', null, desk, createElement('p', { id: 'found' }, found));
}`,
  },
  // Sets no property and hears no event of an element by itself.
  'react-18': {
    'vite.config.js': `export default { resolve: { alias: ${JSON.stringify(REACT_18)} } };`,
    'main.js': `${REACT}
function Desk() {
  const [found, setFound] = useState('');
  const ref = useRef(null);
  useEffect(() => {
    ref.current.getClientSecret = getClientSecret;
    const onFilter = ({ detail }) => setFound(detail.filter.q);
    ref.current.addEventListener('desk-filter', onFilter);
    return () => ref.current?.removeEventListener('desk-filter', onFilter);
  }, []);
  const desk = createElement('payments-desk', { endpoint: '${DESK.endpoint}', ref });
  return createElement('main', null, desk, createElement('p', { id: 'found' }, found));
}`,
  },
  vue: {
    'main.js': `
import { createApp } from 'vue';
import Desk from './Desk.vue';
createApp(Desk).mount('#app');
`,
    'Desk.vue': `
<script setup>
import '@innkeep/desk/define';
import { ref } from 'vue';

const found = ref('');
const getClientSecret = async () => '${DESK.secret}';
</script>

<template>
  <payments-desk endpoint="${DESK.endpoint}" :getClientSecret.prop="getClientSecret" @desk-filter="({ detail }) => (found = detail.filter.q)" />
  <p id="found">{{ found }}</p>
</template>
`,
    'vite.config.js': `
import vue from '@vitejs/plugin-vue';
export default { plugins: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('payment') } } })] };
`,
  },
};

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

test.each([
  ['Vue', 'vue', () => join(tools, 'node_modules/.bin/vite')],
  ['React 19', 'react-19', () => VITE],
  ['React 18, by a ref,', 'react-18', () => VITE],
] as const)('a page of %s sets its secret and hears its events', async (_, name, vite) => {
  const index = '<!doctype html><title>Desk</title><div id="app"></div><script type="module" src="./main.js"></script>';
  const files = { 'index.html': index, ...PAGES[name] };
  await project.write(Object.fromEntries(Object.entries(files).map(([file, text]) => [join(name, file), text])));
  await runTool(project.folder, [vite(), 'build', name, '--logLevel', 'warn']);
  const assets = join(project.folder, name, 'dist/assets');
  const [script = ''] = readdirSync(assets).filter((file) => file.endsWith('.js'));
  const { page, errors, secrets } = await openDeskPage(browser, {
    scripts: { '/page.js': readFileSync(join(assets, script), 'utf8') },
    html: '<!doctype html><html lang="de"><title>Office</title><div id="app"></div><script type="module" src="/page.js"></script>',
  });
  await page.getByRole('heading', { name: 'Hotel Aurora' }).waitFor();
  await page.getByLabel('Suche').fill('res-12');
  await expect.poll(() => page.locator('#found').textContent()).toBe('res-12');
  expect(errors).toEqual([]);
  expect([...secrets]).toEqual([`Bearer ${DESK.secret}`]);
  await page.close();
});
