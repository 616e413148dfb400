// The desk in Vue: its page, and what Vue's own checker says of its types.
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, test } from 'vitest';
import { launchBrowser } from '../support/guest.ts';
import { makePackedProject, type PackedProject } from '../support/packed-project.ts';
import { installTools, runTool } from '../support/toolbox.ts';
import { useDesk } from './desk-in-frameworks.ts';

let project: PackedProject;
let browser: Browser;
let tools: string;

beforeAll(async () => {
  tools = await installTools('tests/consumers/tools');
  [project, browser] = await Promise.all([makePackedProject(['desk'], tools), launchBrowser()]);
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await project?.remove();
});

test(
  'a page of Vue sets its secret and hears its events',
  () => useDesk(browser, project, { name: 'vue', vite: join(tools, 'node_modules/.bin/vite') }),
  240_000,
);

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
}, 240_000);
