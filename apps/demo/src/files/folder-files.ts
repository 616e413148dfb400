import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import type { Files } from './files.ts';

const HTML = 'text/html';

/** Files of a folder, on Node. The path of a request is the path below it; nothing outside of it is ever sent. */
export function folderFiles(folder: string): Files {
  const files = new Hono().use(serveStatic({ root: folder }));
  // The documentation brings its own page for what it does not have.
  const missing = new Hono().use(serveStatic({ root: folder, path: 'docs/404.html' }));

  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const answer = await files.fetch(request);
    if (answer.status === 404 && pathname.startsWith('/docs/')) {
      const page = await missing.fetch(request);
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
