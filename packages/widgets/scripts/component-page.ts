/** Serves the component page: every element in every state, theme and language. */
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.ts': 'text/javascript',
  '.json': 'application/json',
  '.map': 'application/json',
};

/** A running component page. */
export interface ComponentPage {
  url: string;
  close(): void;
}

/** Starts serving on loopback; port 0 takes a free one. */
export async function serveComponentPage(port: number): Promise<ComponentPage> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    load(pathname).then(
      (body) => response.writeHead(200, { 'content-type': typeOf(pathname) }).end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  // A server that listens on a port has an address with one.
  const { port: actual } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${actual}`, close: () => server.close() };
}

function typeOf(pathname: string): string | undefined {
  return TYPES[pathname === '/' ? '.html' : extname(pathname)];
}

async function load(pathname: string): Promise<string> {
  if (pathname === '/') return readFile(join(PACKAGE, 'component-page/index.html'), 'utf8');
  if (pathname === '/examples.json') return JSON.stringify(examples());
  if (pathname === '/locales.json') return JSON.stringify(localeNames());
  const path = normalize(pathname);
  if (!/^\/(component-page|dist\/cdn)\//.test(path)) throw new Error('Not a file of this page.');
  const text = await readFile(join(PACKAGE, path), 'utf8');
  return extname(path) === '.ts' ? stripTypeScriptTypes(text) : text;
}

function localeNames(): string[] {
  return readdirSync(join(PACKAGE, 'src/localization/locales')).map((file) => file.replace('.ts', ''));
}

/** The markup that the element pages show, so that the page can show what it does. */
function examples(): { tag: string; markup: string }[] {
  return readdirSync(join(PACKAGE, 'src/elements')).flatMap((tag) => {
    const page = readFileSync(join(PACKAGE, 'src/elements', tag, 'README.md'), 'utf8');
    return [...page.matchAll(/```html\n([\s\S]*?)```/g)].map(([, markup = '']) => ({
      tag,
      markup: markup.replace(/<script.*<\/script>\n/, ''),
    }));
  });
}
