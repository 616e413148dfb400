// Clients that public tools make from the document that is served: they compile under strict settings, and pay.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../scripts/launch.ts';
import { startMoneyStack } from '../support/money-stack.ts';
import { installTools, runTool } from '../support/toolbox.ts';
import { JOURNEYS } from './journeys.ts';

const run = promisify(execFile);

const CONFIGURATIONS = {
  'hey-api.config.mjs': {
    input: 'openapi.json',
    output: { path: 'hey-api' },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  },
  'orval.config.mjs': {
    fetch: {
      input: 'openapi.json',
      output: { target: 'orval/api.ts', schemas: 'orval/model', client: 'fetch', mode: 'split', baseUrl: '/base' },
    },
    zod: { input: 'openapi.json', output: { target: 'orval-zod/api.ts', client: 'zod', mode: 'split' } },
  },
} as const;

const TSCONFIG = {
  compilerOptions: {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    strict: true,
    noImplicitReturns: true,
    noPropertyAccessFromIndexSignature: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
    skipDefaultLibCheck: true,
    verbatimModuleSyntax: true,
    noEmit: true,
  },
  include: ['**/*.ts'],
};

/** Where what is generated finds its libraries. */
const folder = mkdtempSync(join(await installTools('tests/openapi/tools'), 'clients-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const gateway = { apiKey: '0123456789'.repeat(4), allow: ['RMS/keepalivereq'] };
const stack = await startMoneyStack({ moto: true, property: { moto: true, gateway } });
afterAll(() => stack.close());

beforeAll(async () => {
  write('openapi.json', await (await fetch(`${stack.proxyUrl}/openapi.json`)).text());
  write('tsconfig.json', JSON.stringify(TSCONFIG));
  for (const [name, text] of Object.entries(CONFIGURATIONS)) write(name, `export default ${JSON.stringify(text)};`);
  for (const [name, text] of Object.entries(JOURNEYS)) write(`${name}.ts`, text);
  await Promise.all([
    runTool(folder, ['openapi-typescript', 'openapi.json', '--output', 'openapi-typescript/schema.ts']),
    runTool(folder, ['openapi-ts', '--file', 'hey-api.config.mjs']),
    runTool(folder, ['orval', '--config', 'orval.config.mjs']),
  ]);
});

test('the clients compile under strict settings', async () => {
  const { stdout } = await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder]).catch(
    (failure: { stdout: string }) => failure,
  );
  expect(stdout).toBe('');
});

// 70 without the payments and sessions of a desk, which have 33.
test('a client has at most 105 model files', () => {
  const models = readdirSync(join(folder, 'orval/model'));
  expect(models.length).toBeGreaterThan(20);
  expect(models.length).toBeLessThanOrEqual(105);
});

test.each(Object.keys(JOURNEYS).filter((name) => name !== 'journey'))('%s pays, charges and refunds', async (name) => {
  const outfile = join(folder, `${name}.mjs`);
  await build({ entryPoints: [join(folder, `${name}.ts`)], outfile, bundle: true, platform: 'node', format: 'esm' });
  const env = { ENDPOINT: stack.proxyUrl, SECRET_KEY: stack.merchantKey, CARD: await stack.storeCard(), RUN: name };
  const { stdout } = await run(process.execPath, [outfile], { env: { ...process.env, ...env } });
  expect(JSON.parse(stdout)).toEqual({
    session: 'open',
    read: 'open',
    charge: 'succeeded',
    again: true,
    reversal: 'succeeded',
    given: 500,
    refused: ['invalid_request', 'not_found'],
    listed: true,
    events: ['charge.succeeded', 'reversal.succeeded'],
    gateway: expect.stringContaining('<SIHOT-Document>'),
  });
});

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}
