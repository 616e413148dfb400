// The desk in React and in Vue, from the packed package: its page, and what their checkers say of its types.
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../scripts/launch.ts';
import { launchBrowser } from '../support/guest.ts';
import { makePackedProject, type PackedProject } from '../support/packed-project.ts';
import { installTools, runTool } from '../support/toolbox.ts';
import { useDesk } from './desk-in-frameworks.ts';

const VITE = join(ROOT, 'packages/widgets/node_modules/.bin/vite');
const MODULES = join(ROOT, 'packages/react/node_modules');

let project: PackedProject;
let browser: Browser;
let tools: string;

beforeAll(async () => {
  tools = await installTools('tests/consumers/tools');
  [project, browser] = await Promise.all([makePackedProject(['desk'], tools), launchBrowser()]);
  for (const name of ['react', 'react-dom', '@types/react'])
    await symlink(join(MODULES, name), join(project.folder, 'node_modules', name));
});
afterAll(async () => {
  await browser?.close();
  await project?.remove();
});

test('a page of Vue sets its secret and hears its events', () =>
  useDesk(browser, project, { name: 'vue', vite: join(tools, 'node_modules/.bin/vite') }));

test('vue-tsc knows the elements, their properties and their events', async () => {
  await project.write({
    'types/tsconfig.json': JSON.stringify({
      compilerOptions: {
        ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'dom', 'dom.iterable'] },
        ...{ types: [], strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: true },
      },
      vueCompilerOptions: { strictTemplates: true },
      include: ['*.vue'],
    }),
    'types/Desk.vue': `
<script setup lang="ts">
import '@innkeep/desk/types/vue';
import type { DeskSelectDetail } from '@innkeep/desk';

const select = ({ detail }: CustomEvent<DeskSelectDetail>): void => console.log(detail.payment);
</script>

<template>
  <payments-desk endpoint="https://pay.hotel.example" locale="en" :get-client-secret="async () => 'ds_…'" @desk-select="select" />
  <!-- @vue-expect-error a theme that there is not -->
  <payments-desk theme="pink" />
</template>
`,
  });
  await runTool(project.folder, ['vue-tsc', '-p', 'types']);
});

test('React 19 sets its secret and hears its events', () =>
  useDesk(browser, project, { name: 'react-19', vite: VITE }));

test('React 18 does so by a ref', async () => {
  const alias = { react: join(MODULES, 'react-18'), 'react-dom': join(MODULES, 'react-dom-18') };
  const config = `export default { resolve: { alias: ${JSON.stringify(alias)} } };`;
  await useDesk(browser, project, { name: 'react-18', vite: VITE, more: { 'vite.config.js': config } });
});

test('JSX knows the elements, their properties and their events', async () => {
  await project.write({
    'types/tsconfig.json': JSON.stringify({
      compilerOptions: {
        ...{ target: 'es2022', module: 'nodenext', lib: ['es2023', 'dom', 'dom.iterable'], jsx: 'react-jsx' },
        ...{ types: [], strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: false },
        skipDefaultLibCheck: true,
      },
      files: ['desk.tsx'],
    }),
    'types/desk.tsx': `
import '@innkeep/desk/types/react';
import type { DeskSelectDetail } from '@innkeep/desk';
import { messages } from '@innkeep/desk/localization/en';

export const right = (
  <payments-desk endpoint="https://pay.hotel.example" theme="dark" id="desk" messages={messages}
    getClientSecret={async () => 'ds_…'} ondesk-select={({ detail }) => console.log(detail.payment.length)}>
    <span slot="header">anna</span>
  </payments-desk>
);
export const perhaps = (select?: (event: CustomEvent<DeskSelectDetail>) => void) => <payments-desk ondesk-select={select} />;
export const parts = [<payments-list filter={{ q: 'res-12' }} />, <payment-details payment="cs_…" />];
// @ts-expect-error: a theme that there is not
export const wrong = <payments-desk theme="pink" />;
// @ts-expect-error: a secret that does not come from a function
export const secret = <payments-desk getClientSecret="ds_…" />;
`,
  });
  expect(await runTool(project.folder, [join(ROOT, 'node_modules/.bin/tsc'), '-p', 'types'])).toBe('');
});
