import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import type { Files } from './files.ts';

const HTML = 'text/html';
const NOT_BUILT = 'The documentation is still being built. Load this page again in half a minute.\n';

/** Where the files are, on Node. */
export interface Folders {
  /** The path of a request is the path below it. */
  readonly site: string;
  /** What is sent below `/docs/`. It may still be in the making. */
  readonly docs: string;
}

/** Files of two folders, on Node; nothing outside of them is ever sent. */
export function folderFiles({ site, docs }: Folders): Files {
  const files = new Hono()
    .use('/docs/*', serveStatic({ root: docs, rewriteRequestPath: (path) => path.slice('/docs'.length) }))
    .use(serveStatic({ root: site }));
  // The documentation brings its own page for what it does not have.
  const missing = new Hono().use(serveStatic({ root: docs, path: '404.html' }));

  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const answer = await files.fetch(request);
    if (answer.status === 404 && pathname.startsWith('/docs/')) {
      const page = await missing.fetch(request);
      if (!page.ok) return new Response(NOT_BUILT, { status: 503, headers: { 'retry-after': '10' } });
      return new Response(page.body, { status: 404, headers: page.headers });
    }
    // The page of a folder, asked for without the slash: its relative links would be wrong.
    const isPage = answer.headers.get('content-type')?.startsWith(HTML) === true;
    if (isPage && !/(?:\/|\.html)$/.test(pathname)) {
      await answer.body?.cancel();
      return new Response(null, { status: 307, headers: { location: `${pathname}/${search}` } });
    }
    return answer;
  };
}
