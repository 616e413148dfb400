/** For operators: whether the proxy runs, what it can do, and the files that lie beside the bundle. */
import { HealthSchema } from '@innkeep/core/contract';
import type { AppContext } from '../http/app-context.ts';
import { describe } from '../http/describe.ts';
import { publicApp } from '../properties/resource-app.ts';
import { STYLE_PATH } from '../sessions/page-style.ts';

export const service = publicApp({ tag: 'Service' })
  .get(
    STYLE_PATH,
    describe({
      id: 'showPageStyle',
      summary: 'The style sheet of the pages',
      description: 'For the proxy’s own pages.',
      answers: { 200: { description: 'The sheet', type: 'text/css' } },
      problems: ['method_not_allowed'],
    }),
    (c) => fileResponse(c, 'text/css; charset=utf-8'),
  )
  .get(
    '/openapi.json',
    describe({
      id: 'showOpenApiDocument',
      summary: 'This document',
      description: 'Made of the routes themselves when the proxy was built.',
      answers: { 200: { description: 'OpenAPI 3.1', type: 'application/json' } },
      problems: ['method_not_allowed'],
    }),
    (c) => fileResponse(c, 'application/json'),
  )
  .get(
    '/openapi-platform.json',
    describe({
      id: 'showPlatformOpenApiDocument',
      summary: 'The document for operators',
      description: 'How a hotel is doing, and what platform keys are for. Made like the other.',
      answers: { 200: { description: 'OpenAPI 3.1', type: 'application/json' } },
      problems: ['method_not_allowed'],
    }),
    (c) => fileResponse(c, 'application/json'),
  )
  .get(
    '/healthz',
    describe({
      id: 'health',
      summary: 'Whether the proxy runs',
      description: 'For whoever watches the proxy. It says nothing about the payment service.',
      answers: { 200: { description: 'It runs; nothing was called to find out', schema: HealthSchema } },
      problems: ['method_not_allowed', 'property_unavailable'],
    }),
    (c) => c.json({ status: 'ok', version: c.get('dependencies').version }),
  );

/** The file at the request's path. It lies beside the bundle, so that no request pays for it but its own. */
async function fileResponse(c: AppContext, type: string): Promise<Response> {
  const file = await c.get('dependencies').readFile(c.req.path);
  return new Response(file.body, {
    status: file.status,
    headers: { 'content-type': type, 'cache-control': 'public, max-age=300' },
  });
}
