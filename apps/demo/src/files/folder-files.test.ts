import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fileRoutes } from './file-routes.ts';
import { folderFiles } from './folder-files.ts';

let base: string;
let site: Hono;

const FILES: Readonly<Record<string, string>> = {
  'secret.css': 'outside',
  'site/public/styles.css': 'body {}',
  'site/public/icon.svg': '<svg/>',
  'site/widgets/locales/de.json': '{}',
  'docs/index.html': 'docs home',
  'docs/404.html': 'no such page of the docs',
  'docs/guides/index.html': 'guides',
  'docs/guides.md': '# Führer',
  'docs/llms.txt': 'Führer',
  'docs/data.json': '{}',
  'docs/csp.txt': "default-src 'none'; script-src 'sha256-x'\n",
};

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'innkeep-files-'));
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(join(base, name, '..'), { recursive: true });
    await writeFile(join(base, name), text);
  }
  site = new Hono().route(
    '/',
    fileRoutes({
      files: folderFiles({ site: join(base, 'site'), docs: join(base, 'docs') }),
      proxyUrl: 'https://proxy.test',
    }),
  );
});
afterAll(() => rm(base, { recursive: true, force: true }));

test.each([
  ['/public/styles.css', 'text/css; charset=utf-8', 'body {}'],
  ['/public/icon.svg', 'image/svg+xml; charset=utf-8', '<svg/>'],
  ['/widgets/locales/de.json', 'application/json', '{}'],
  ['/docs/', 'text/html; charset=utf-8', 'docs home'],
  ['/docs/guides/', 'text/html; charset=utf-8', 'guides'],
  ['/docs/guides.md', 'text/markdown; charset=utf-8', '# Führer'],
  ['/docs/llms.txt', 'text/plain; charset=utf-8', 'Führer'],
  ['/docs/data.json', 'application/json', '{}'],
])('%s is sent as %s', async (path, type, text) => {
  const answer = await site.request(path);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe(type);
  expect(await answer.text()).toBe(text);
});

test.each([
  ['/docs', '/docs/'],
  ['/docs/guides?x=1', '/docs/guides/?x=1'],
])('%s leads to the folder’s own address', async (path, location) => {
  const answer = await site.request(path);
  expect(answer.status).toBe(307);
  expect(answer.headers.get('location')).toBe(location);
});

test('the documentation has its own page for what it does not have', async () => {
  const answer = await site.request('/docs/nothing/here');
  expect(answer.status).toBe(404);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await answer.text()).toBe('no such page of the docs');
});

test.each([
  '/public/..%2f..%2fsecret.css',
  '/public/%2e%2e/%2e%2e/secret.css',
  '/public/..\\..\\secret.css',
  '/public//secret.css',
  '/public/%00',
  '/public/missing.css',
  '/widgets/',
  '/secret.css',
])('%s is no file of the site', async (path) => {
  const answer = await site.request(path);
  expect(answer.status).toBe(404);
  expect(await answer.text()).not.toContain('outside');
});

test('sends files to nobody who posts', async () => {
  expect((await site.request('/public/styles.css', { method: 'POST' })).status).toBe(404);
});

test('the documentation is sent under the policy its own build wrote, the rest under the hotel’s', async () => {
  const policyOf = async (path: string): Promise<string | null> =>
    (await site.request(path)).headers.get('content-security-policy');
  expect(await policyOf('/docs/')).toBe("default-src 'none'; script-src 'sha256-x'");
  expect(await policyOf('/docs/nothing')).toBe("default-src 'none'; script-src 'sha256-x'");
  expect(await policyOf('/public/styles.css')).toContain("script-src 'self';");
});

test('says so while the documentation is still being built, and nothing on the console', async () => {
  const warn = vi.spyOn(console, 'error');
  const docs = join(base, 'docs-to-be');
  const onDocs = vi.fn();
  const files = folderFiles({ site: join(base, 'site'), docs, onDocs });
  const app = fileRoutes({ files, proxyUrl: 'https://proxy.test' });
  await app.request('/public/styles.css');
  expect(onDocs).not.toHaveBeenCalled();
  const answer = await app.request('/docs/');
  expect(onDocs).toHaveBeenCalled();
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('10');
  expect(await answer.text()).toContain('Load this page again');
  expect(warn).not.toHaveBeenCalled();
  await mkdir(docs);
  await writeFile(join(docs, 'index.html'), 'docs home');
  expect(await (await app.request('/docs/')).text()).toBe('docs home');
});

test('without its own policy the documentation may run nothing', async () => {
  const empty = fileRoutes({ files: async () => new Response(null, { status: 404 }), proxyUrl: 'https://proxy.test' });
  expect((await empty.request('/docs/')).headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
});
