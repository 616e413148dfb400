// Prevents: a documentation site that is right in one server and wrong in the next. This is the least a server has to do; the tests
// use it, and `pnpm run docs`.

import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { ROOT } from './launch.ts';

/** Where the built site is. */
export const DOCS_DIST: string = join(ROOT, 'apps/docs/dist');

/** A running server of the documentation. */
export interface DocsServer {
  /** Address of the first page. */
  readonly url: string;
  close(): Promise<void>;
}

/** The documentation site alone, with the headers that apps/docs/README.md asks for. */
export function docsApp(dist: string = DOCS_DIST): Hono {
  const policy = readFileSync(join(dist, 'csp.txt'), 'utf8').trim();
  const notFound = readFileSync(join(dist, '404.html'), 'utf8');
  const app = new Hono({ strict: true });
  app.use(async ({ header }, next) => {
    header('content-security-policy', policy);
    header('x-content-type-options', 'nosniff');
    header('referrer-policy', 'no-referrer');
    await next();
  });
  app.on('GET', ['/', '/docs'], ({ redirect }) => redirect('/docs/'));
  app.get(
    '/docs/*',
    serveStatic({
      root: dist,
      rewriteRequestPath: (path) => path.slice('/docs'.length),
      onFound: (path, { header }) => {
        if (path.endsWith('.md')) header('content-type', 'text/markdown; charset=utf-8');
      },
    }),
  );
  app.notFound(({ html }) => html(notFound, 404));
  return app;
}

/** Serves the built site on loopback. Port 0 takes a free one. */
export function serveDocs(port: number): Promise<DocsServer> {
  const app = docsApp();
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port }, ({ port: taken }: AddressInfo) =>
      resolve({
        url: `http://127.0.0.1:${taken}/docs/`,
        close: () => new Promise((done) => server.close(() => done())),
      }),
    );
    server.on('error', reject);
  });
}
