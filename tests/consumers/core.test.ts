// Projects as users have them, each with nothing but the packed package: do the types resolve, does it build, does it run?
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM_ARGS, findChromium } from '../../scripts/chromium.ts';
import { installPackedCore, type PackedProject } from '../support/packed-core.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let project: PackedProject;
let server: Server;
let browser: Browser;

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };

beforeAll(async () => {
  project = installPackedCore();
  browser = await chromium.launch({ executablePath: findChromium() ?? '', args: [...CHROMIUM_ARGS] });
  // A plain file server, and the one answer of a proxy that a guest's page needs.
  server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '', 'http://x').pathname);
    if (path === '/v1/checkout') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ id: 'cs_1', status: 'succeeded', final: true, seq: 1 }));
      return;
    }
    try {
      const file = readFileSync(join(project.folder, path));
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(file);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
  project?.remove();
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(project.folder, path)), { recursive: true });
  writeFileSync(join(project.folder, path), text);
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(project.folder, path), 'utf8'));
}

/** What a browser gets of a package: its module, however its conditions are nested. */
function entryOf(entry: unknown): string {
  if (typeof entry === 'string') return entry;
  const { import: module, default: other } = entry as { readonly import?: unknown; readonly default?: unknown };
  return entryOf(module ?? other);
}

/** What a page says in its title. */
async function titleOf(path: string): Promise<string> {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`);
  await page.waitForFunction('document.title !== "" || globalThis.hasFailed').catch(() => undefined);
  expect(errors).toEqual([]);
  return page.title();
}

const GUEST_PAGE = `
import { createCheckout } from '@innkeep/core/checkout';
const checkout = createCheckout({ endpoint: location.origin, clientSecret: 'cs_1_x' });
for await (const view of checkout.watch()) document.title = view.status;
`;

describe('a project with the packed core', () => {
  it.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('has types under module %s, resolution %s', async (module, moduleResolution) => {
    const exported = readJson('node_modules/@innkeep/core/package.json') as { exports: Record<string, string> };
    const subpaths = Object.keys(exported.exports).flatMap((subpath) =>
      subpath === './operations/*' ? ['./operations/pay', './operations/initpay-no-iframe'] : [subpath],
    );
    const imports = subpaths.map((subpath, index) => `import * as m${index} from '@innkeep/core${subpath.slice(1)}';`);
    const uses = subpaths.map((_, index) => `m${index}`).join(', ');
    write(
      'types/index.ts',
      `${imports.join('\n')}
import { createClient, type HostedOutcome, Money } from '@innkeep/core';
export const all: object[] = [${uses}];
export const outcome = (client: ReturnType<typeof createClient>, id: string): Promise<HostedOutcome> =>
  client.waitForResult({ requestID: id, request: { operation: 'initpayNoIframe', amount: Money.ofMinor(1n, 'EUR'), surcharge: false, cardInfoRefID: id } });
// @ts-expect-error An amount is money, never a number.
export const wrong = (client: ReturnType<typeof createClient>) => client.pay({ tokenNo: 'x', amount: 12 });
`,
    );
    const compilerOptions = {
      module,
      moduleResolution,
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
    };
    write('types/tsconfig.json', JSON.stringify({ compilerOptions, files: ['index.ts'] }));
    const { stdout } = await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', 'types'], { cwd: project.folder }).catch(
      (failure: { stdout: string }) => failure,
    );
    expect(stdout).toBe('');
  });

  it('runs as a Node script', async () => {
    write(
      'script.mjs',
      "import { Money } from '@innkeep/core';\nimport { xmlDocument } from '@innkeep/core/gateway';\n" +
        "console.log(String(Money.parse('120', 'EUR')), xmlDocument({ OC: 'KA' }).contentType);\n",
    );
    const { stdout } = await run(process.execPath, ['script.mjs'], { cwd: project.folder });
    expect(stdout.trim()).toBe('120.00 EUR text/xml; charset=ISO-8859-1');
  });

  it('builds and runs as a Vite app', async () => {
    write('app/index.html', '<!doctype html><script type="module" src="/main.js"></script>');
    write('app/main.js', GUEST_PAGE);
    const vite = join(ROOT, 'packages/core/node_modules/.bin/vite');
    await run(vite, ['build', '--base', './', '--logLevel', 'warn'], { cwd: join(project.folder, 'app') });
    expect(await titleOf('app/dist/index.html')).toBe('succeeded');
  });

  it('runs in a page without a bundler', async () => {
    const imports = { '@innkeep/core/checkout': '/node_modules/@innkeep/core/dist/checkout/checkout-client.js' };
    write(
      'plain.html',
      `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script><script type="module">${GUEST_PAGE}</script>`,
    );
    expect(await titleOf('plain.html')).toBe('succeeded');
  });

  it('talks to the gateway in a page without a bundler, so that no bundler needs a plug-in', async () => {
    const modules = ['ky', 'valibot', '@rgrove/parse-xml'].map((name) => {
      const { exports } = readJson(`node_modules/${name}/package.json`) as { exports: Record<string, unknown> };
      return [name, `/node_modules/${name}/${entryOf(exports['.'] ?? exports)}`] as const;
    });
    const imports = { '@innkeep/core/': '/node_modules/@innkeep/core/dist/', ...Object.fromEntries(modules) };
    write(
      'gateway.html',
      `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script><script type="module">
import { readGatewayReply } from '@innkeep/core/gateway/index.js';
const bytes = new TextEncoder().encode('<SIHOT-Document><RC>0</RC></SIHOT-Document>');
document.title = readGatewayReply({ contentType: 'text/xml', bytes }).document.name;
</script>`,
    );
    expect(await titleOf('gateway.html')).toBe('SIHOT-Document');
  });

  it('has types for TypeScript 5.7 as well', async () => {
    const { stdout } = await run(
      join(import.meta.dirname, 'node_modules/.bin/tsc'),
      ['-p', 'types', '--skipDefaultLibCheck'],
      {
        cwd: project.folder,
      },
    ).catch((failure: { stdout: string }) => failure);
    expect(stdout).toBe('');
  });

  it('ships sources and built files, and nothing else', async () => {
    const { stdout } = await run('find', ['.', '-type', 'f'], {
      cwd: join(project.folder, 'node_modules/@innkeep/core'),
    });
    const files = stdout.trim().split('\n');
    expect(
      files.filter((file) => !/^\.\/(dist|src)\/|^\.\/(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/.test(file)),
    ).toEqual([]);
    expect(files.filter((file) => /\.test\.|tsbuildinfo/.test(file))).toEqual([]);
    expect(files).toContain('./dist/index.d.ts');
  });
});
