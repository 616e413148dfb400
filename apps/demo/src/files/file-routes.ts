import { Hono } from 'hono';
import type { Files } from './files.ts';
import { securityHeaders } from './security-headers.ts';

// Everything else is a page of the hotel.
const DOCS = '/docs';
const FILE_FOLDERS = ['/public', '/widgets', '/payments-desk', DOCS] as const;

// Hosts guess these differently, or leave out the encoding; a browser then shows a dash as three letters.
const TEXT_TYPES: Readonly<Record<string, string>> = {
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
};

/** The routes of files that are sent as they are, with the headers they need. */
export function fileRoutes({ files, proxyUrl }: { files: Files; proxyUrl: string }): Hono {
  const app = new Hono();
  const headers = securityHeaders(proxyUrl);
  for (const folder of FILE_FOLDERS) {
    app.use(`${folder}/*`, headers);
    app.get(`${folder}/*`, async (c) => {
      const answer = await files(c.req.raw);
      const type = answer.ok ? TEXT_TYPES[c.req.path.split('.').at(-1) ?? ''] : undefined;
      // A host’s own answer may not let its headers be changed.
      const headers = new Headers(answer.headers);
      if (type !== undefined) headers.set('content-type', type);
      headers.set('cache-control', 'no-cache');
      if (folder === DOCS) headers.set('content-security-policy', await readDocsPolicy(files, c.req.url));
      return new Response(answer.body, { status: answer.status, headers });
    });
  }
  return app;
}

/** The build of the documentation writes down which of its scripts may run. */
async function readDocsPolicy(files: Files, base: string): Promise<string> {
  const answer = await files(new Request(new URL(`${DOCS}/csp.txt`, base)));
  return answer.ok ? (await answer.text()).trim() : "default-src 'none'; frame-ancestors 'none'";
}
