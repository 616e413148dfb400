/**
 * The two files that are served as they are: the API's description and the pages' style sheet. They lie beside the
 * bundle, so that no request pays for them but their own.
 */
import type { AppContext } from '../middleware/app-context.ts';
import { STYLE_PATH } from '../pages/page-style.ts';
import type { Route } from './route.ts';

/** `GET /openapi.json`: generated at build from the routes' own schemas. */
export const showOpenApiDocument: Route = {
  method: 'GET',
  path: '/openapi.json',
  handle: (c) => serveFile(c, 'application/json'),
};

/** The pages' style sheet. */
export const showPageStyle: Route = {
  method: 'GET',
  path: STYLE_PATH,
  handle: (c) => serveFile(c, 'text/css; charset=utf-8'),
};

async function serveFile(c: AppContext, type: string): Promise<Response> {
  const file = await c.get('dependencies').readFile(c.req.path);
  return new Response(file.body, {
    status: file.status,
    headers: { 'content-type': type, 'cache-control': 'public, max-age=300' },
  });
}
