// The typings for every framework, from the packed packages, by the framework's own checker. That a guest pays with them is shown here for
// Angular, and else by the starters (tests/release) and the quick starts (tests/docs), React's versions and its server rendering by packages/react.
import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { ROOT } from '../../scripts/launch.ts';
import { type SitePage, startFakeHotel } from '../support/fake-hotel.ts';
import { launchBrowser } from '../support/guest.ts';
import { makePackedProject, type PackedProject } from '../support/packed-project.ts';
import { installTools, runTool } from '../support/toolbox.ts';
import { FROM_ADDRESS, payOnce } from './pay-once.ts';
import { publish } from './publish.ts';
import { compileAll } from './typed-project.ts';

/** One page about the same thing: an element with properties, a link inside and a listener, and one with a theme that there is not. */
interface FrameworkPage {
  readonly files: Readonly<Record<string, string>>;
  readonly check: readonly string[];
}

/** Compiler options as strict as a careful site's. */
function tsconfig(options: object = {}, more: object = {}): string {
  return JSON.stringify({
    compilerOptions: {
      ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'dom', 'dom.iterable'] },
      ...{ types: [], strict: true, exactOptionalPropertyTypes: true, noEmit: true, verbatimModuleSyntax: true },
      skipLibCheck: true,
      ...options,
    },
    include: ['*.ts', '*.tsx', '*.svelte', '*.vue'],
    ...more,
  });
}

function jsxPage(name: string, jsx: object, listener: string, properties = '', more = {}): FrameworkPage {
  const page = `
import '@innkeep/widgets/types/${name}';
import type { PayEventMap } from '@innkeep/widgets';

export const right = <pay-widget endpoint="https://pay.hotel.example" client-secret="cs_…" theme="dark" id="pay" ${properties} ${listener}={${DONE}} />;
export const perhaps = (done?: (event: PayEventMap['pay-completed']) => void) => <pay-widget ${listener}={done} />;
// @ts-expect-error: a theme that there is not
export const wrong = <pay-widget theme="pink" />;
`;
  return { files: { 'tsconfig.json': tsconfig(jsx), 'page.tsx': page, ...more }, check: ['tsc', '-p', name] };
}

const DESK = `
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
`;

const DONE = '({ detail }) => console.log(detail.checkout?.id)';

const PAGES: Readonly<Record<string, FrameworkPage>> = {
  react: jsxPage('react', { jsx: 'react-jsx' }, 'onpay-completed', '', { 'desk.tsx': DESK }),
  preact: jsxPage('preact', { jsx: 'react-jsx', jsxImportSource: 'preact' }, 'onpay-completed'),
  solid: jsxPage(
    'solid',
    { jsx: 'preserve', jsxImportSource: 'solid-js' },
    'on:pay-completed',
    `prop:getClientSecret={async () => 'cs_…'}`,
  ),
  vue: {
    files: {
      'tsconfig.json': tsconfig({}, { vueCompilerOptions: { strictTemplates: true } }),
      'Desk.vue': `
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
      'Booking.vue': `
<script setup lang="ts">
import '@innkeep/widgets/types/vue';
import type { PayEventMap } from '@innkeep/widgets';

const done = ({ detail }: PayEventMap['pay-completed']): void => console.log(detail.checkout?.id);
</script>

<template>
  <pay-widget :client-secret="'cs_…'" locale="en" @pay-completed="done"><span slot="label">Pay</span></pay-widget>
  <!-- @vue-expect-error a theme that there is not -->
  <pay-widget theme="pink" />
</template>
`,
    },
    check: ['vue-tsc', '-p', 'vue'],
  },
  svelte: {
    files: {
      'tsconfig.json': tsconfig(),
      'Booking.svelte': `
<script lang="ts">
  import '@innkeep/widgets/types/svelte';
</script>

<pay-widget client-secret="cs_…" locale="en" onpay-completed={${DONE}}>
  <a href="/pay-link">Pay by link</a>
</pay-widget>
`,
    },
    check: ['svelte-check', '--workspace', 'svelte', '--tsconfig', 'tsconfig.json', '--fail-on-warnings'],
  },
  // Compiled ahead of time with strict templates. A guest pays on it below.
  angular: {
    files: {
      'index.html':
        '<!doctype html><title>Booking</title><booking-page></booking-page><script type="module" src="compiled/main.js"></script>',
      'address.ts': FROM_ADDRESS,
      'tsconfig.json': tsconfig(
        { noEmit: false, outDir: 'compiled', rootDir: '.' },
        { angularCompilerOptions: { strictTemplates: true } },
      ),
      'main.ts': `
// Angular's own packages are published half compiled.
import '@angular/compiler';
import { Component, CUSTOM_ELEMENTS_SCHEMA, signal } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import '@innkeep/widgets/define';
import type { PayCompletedEvent } from '@innkeep/widgets/types/angular';
import { clientSecret, endpoint } from './address';

@Component({
  selector: 'booking-page',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: \`
    <pay-widget [endpoint]="endpoint" [clientSecret]="clientSecret" locale="en" (pay-completed)="done($event)"></pay-widget>
    <p id="paid">{{ paid() }}</p>
  \`,
})
class BookingPage {
  protected readonly endpoint = endpoint;
  protected readonly clientSecret = clientSecret;
  protected readonly paid = signal('');

  protected done(event: Event): void {
    // What the element dispatches under this name.
    this.paid.set((event as PayCompletedEvent).detail.checkout?.id ?? '');
  }
}

void bootstrapApplication(BookingPage);
`,
    },
    check: ['ngc', '-p', 'angular/tsconfig.json'],
  },
  astro: {
    files: {
      'tsconfig.json': JSON.stringify({ extends: 'astro/tsconfigs/strictest', include: ['.astro/types.d.ts', 'src'] }),
      'src/pages/index.astro': `
---
import type {} from '@innkeep/widgets/types/astro';
---
<pay-widget endpoint="https://pay.hotel.example" client-secret="cs_…" locale="en"><a href="/pay-link">Pay by link</a></pay-widget>
{/* @ts-expect-error: a theme that there is not */}
{false && <pay-widget theme="pink" />}
`,
    },
    // `astro check` ends with 0 where the checker cannot be loaded.
    check: ['astro-check', '--root', 'astro', '--tsconfig', 'astro/tsconfig.json'],
  },
};

let project: PackedProject;

beforeAll(async () => {
  project = await makePackedProject(['react', 'desk'], await installTools('tests/consumers/tools'));
  for (const [name, { files }] of Object.entries(PAGES))
    await project.write(Object.fromEntries(Object.entries(files).map(([path, text]) => [join(name, path), text])));
});
afterAll(() => project?.remove());

for (const [name, { check }] of Object.entries(PAGES)) test(name, () => runTool(project.folder, check), 240_000);

// No starter and no quick start is Angular's, and no other framework handles events and properties as it does.
test('a guest pays on the page that Angular compiled', async () => {
  const pages: Record<string, () => SitePage> = {};
  const [hotel, browser] = await Promise.all([startFakeHotel(pages), launchBrowser()]);
  try {
    await runTool(project.folder, ['vite', 'build', 'angular', '--base', '/angular/dist/', '--logLevel', 'warn']);
    await publish(pages, project.folder, 'angular/dist');
    await payOnce(browser, hotel, '/angular/dist/index.html');
  } finally {
    await browser.close();
    hotel.close();
  }
});

test('TypeScript 5.7 knows the types as well', async () => {
  const tsc = join(project.folder, '../node_modules/typescript-5.7/bin/tsc');
  await compileAll(project, { tsc, module: 'nodenext', moduleResolution: 'nodenext' });
});

test('a bundler’s resolution knows the types as well', async () => {
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  await compileAll(project, { tsc, module: 'esnext', moduleResolution: 'bundler' });
});
