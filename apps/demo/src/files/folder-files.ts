import { existsSync } from 'node:fs';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import type { Files } from './files.ts';

const HTML = 'text/html';
const NOT_BUILT = 'The documentation is being built. Load this page again in half a minute.\n';

/** Where the files are, on Node. */
export interface Folders {
  /** The path of a request is the path below it. */
  readonly site: string;
  /** What is sent below `/docs/`. It may still be in the making. */
  readonly docs: string;
  /** Hears of every request below `/docs/`, before it is answered: whoever starts the demo makes the documentation when it is read. */
  readonly onDocs?: (() => void) | undefined;
}

/** Files of two folders, on Node; nothing outside of them is ever sent. */
export function folderFiles({ site, docs, onDocs }: Folders): Files {
  const siteFiles = new Hono().use(serveStatic({ root: site }));
  let documentation: Hono | undefined;
  /** Made once it is there: the middleware warns of a folder that does not exist. */
  const docsFiles = (): Hono | undefined => {
    if (documentation === undefined && existsSync(docs)) {
      documentation = new Hono()
        .use('/docs/*', serveStatic({ root: docs, rewriteRequestPath: (path) => path.slice('/docs'.length) }))
        // The documentation brings its own page for what it does not have.
        .use('/404.html', serveStatic({ root: docs }));
    }
    return documentation;
  };

  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const isDocs = /^\/docs(?:\/|$)/.test(pathname);
    if (isDocs) onDocs?.();
    const files = isDocs ? docsFiles() : siteFiles;
    if (files === undefined) return notBuilt();
    const answer = await files.fetch(request);
    if (isDocs && answer.status === 404) {
      const page = await files.request('/404.html', { method: request.method });
      return page.ok ? new Response(page.body, { status: 404, headers: page.headers }) : notBuilt();
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

function notBuilt(): Response {
  return new Response(NOT_BUILT, { status: 503, headers: { 'retry-after': '10' } });
}
