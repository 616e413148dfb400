import type { AppContext } from '../http/app-context.ts';
import { describe } from '../http/describe.ts';
import { ProblemError } from '../http/problem.ts';
import { json } from '../http/response-headers.ts';
import { DESK_SCRIPT_PATH } from '../properties/desk-cookie.ts';
import { publicApp } from '../properties/resource-app.ts';
import { STYLE_PATH } from '../sessions/page-style.ts';

export const HEALTH_PATH = '/healthz';

export const service = publicApp({ tag: 'Service' })
  .get(STYLE_PATH, describe({ id: 'showPageStyle' }), (c) => fileResponse(c, 'text/css; charset=utf-8'))
  .get(DESK_SCRIPT_PATH, describe({ id: 'showDeskScript' }), (c) => fileResponse(c, 'text/javascript; charset=utf-8'))
  .get('/openapi.json', describe({ id: 'showOpenApiDocument' }), (c) => fileResponse(c, 'application/json'))
  .get('/openapi-platform.json', describe({ id: 'showPlatformOpenApiDocument' }), (c) =>
    fileResponse(c, 'application/json'),
  )
  .get(HEALTH_PATH, describe({ id: 'health' }), showHealth);

/** The answer to the question whether the proxy is up. */
export function showHealth(c: AppContext): Response {
  return json(c, { status: 'ok', version: c.get('dependencies').version });
}

/** The file at the request's path. It is beside the bundle, so that only its own request pays for it. */
async function fileResponse(c: AppContext, type: string): Promise<Response> {
  const file = await c.get('dependencies').readFile(c.req.path);
  if (!file.ok) throw new ProblemError('not_found', { detail: 'This deployment has no such file' });
  return new Response(file.body, {
    headers: { 'content-type': type, 'cache-control': 'public, max-age=300' },
  });
}
