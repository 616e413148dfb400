/** A project that imports every entry point of the packages, and what the compiler says to it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackedProject } from '../support/packed-project.ts';
import { runTool } from '../support/toolbox.ts';

/** What stands for the star of a subpath; a subpath of typings for another framework has none here. */
const STARS: Readonly<Record<string, readonly string[]>> = {
  '@innkeep/core/operations/*': ['pay', 'initpay-no-iframe'],
  '@innkeep/widgets/define/*': ['pay-widget'],
  '@innkeep/widgets/types/*': ['react'],
  '@innkeep/desk/define/*': ['payments-desk'],
  '@innkeep/desk/localization/*': ['en'],
};

const USES = `
import { createClient, type HostedOutcome, Money } from '@innkeep/core';
import { PayWidget } from '@innkeep/react';
import { createElement } from 'react';

export const outcome = (client: ReturnType<typeof createClient>, id: string): Promise<HostedOutcome> =>
  client.waitForResult({ requestID: id, request: { operation: 'initpayNoIframe', amount: Money.ofMinor(1n, 'EUR'), surcharge: false, cardInfoRefID: id } });
// @ts-expect-error An amount is money, never a number.
export const wrong = (client: ReturnType<typeof createClient>) => client.pay({ tokenNo: 'x', amount: 12 });
export const element = createElement(PayWidget, { endpoint: '/pay', onPayCompleted: ({ detail }) => console.log(detail.checkout?.id) });
// @ts-expect-error A theme that there is not.
export const pink = createElement(PayWidget, { theme: 'pink' });
`;

/** A page that imports no types, only what defines its elements. */
const PAGES: Readonly<Record<string, string>> = {
  widgets: `
import '@innkeep/widgets/define';
const widget = document.querySelector('pay-widget');
if (widget) widget.getClientSecret = async () => 'cs_…';
document.createElement('payment-status').addEventListener('pay-completed', ({ detail }) => console.log(detail.checkout?.receipt));
`,
  desk: `
import '@innkeep/desk/define';
const desk = document.querySelector('payments-desk');
if (desk) desk.getClientSecret = async () => 'ds_…';
`,
};

/** Compiles in a folder of the project. Fails with the compiler's errors. */
export async function compileAll(
  { folder, write }: PackedProject,
  { tsc, ...options }: { readonly tsc: string; readonly module: string; readonly moduleResolution: string },
): Promise<void> {
  const names = await readdir(join(folder, 'node_modules/@innkeep'));
  const entries = await Promise.all(names.map((name) => entriesOf(folder, `@innkeep/${name}`)));
  const imports = entries.flat().map((entry, index) => `import * as m${index} from '${entry}';`);
  const uses = imports.map((_, index) => `m${index}`).join(', ');
  const compilerOptions = {
    ...options,
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: false,
    skipDefaultLibCheck: true,
  };
  await write({
    'types/index.ts': `${imports.join('\n')}\nexport const all: object[] = [${uses}];\n${USES}`,
    'types/tsconfig.json': JSON.stringify({ compilerOptions, files: ['index.ts'] }),
    'page/index.ts': names.map((name) => PAGES[name] ?? '').join(''),
    'page/tsconfig.json': JSON.stringify({ compilerOptions, files: ['index.ts'] }),
  });
  for (const project of ['types', 'page']) await runTool(folder, [tsc, '-p', project]);
}

/** What can be imported from a package as code. */
async function entriesOf(folder: string, name: string): Promise<string[]> {
  const manifest = await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8');
  const { exports } = JSON.parse(manifest) as { exports: Readonly<Record<string, string>> };
  return Object.entries(exports).flatMap(([subpath, file]) => {
    if (!/\.js$/.test(file)) return [];
    const entry = `${name}${subpath.slice(1)}`;
    return entry.includes('*') ? (STARS[entry] ?? []).map((star) => entry.replace('*', star)) : [entry];
  });
}
