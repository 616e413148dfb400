/** CORS of the guest's calls. Which property's origin may use which session is the session's own decision. */
import { blankCardNumbers } from '@innkeep/core/values';
import type { MiddlewareHandler } from 'hono';
import { ProblemError } from '../problem.ts';
import { type AppEnv, publicUrl } from './app-context.ts';

const LONGEST_ORIGIN = 200;

/** Says that every answer depends on the origin, be it a refusal or a preflight. */
export const varyByOrigin: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  c.res.headers.set('vary', 'Origin');
};

/** Answers preflights for the union of all origins, and refuses every other origin before anything is read. */
export const guestCors: MiddlewareHandler<AppEnv> = async (c, next) => {
  const origin = c.req.header('origin');
  const { properties } = c.get('dependencies');
  const isKnown = origin === undefined || properties.isAnyOrigin(origin) || origin === publicUrl(c).origin;
  if (!isKnown) {
    const seen = URL.canParse(origin) ? blankCardNumbers(new URL(origin).origin).slice(0, LONGEST_ORIGIN) : 'null';
    c.get('facts').origin = seen;
    // Whoever still tries is told more. The list of a live hotel is nobody's business.
    const isTest = properties.all.every((property) => !('livemode' in property && property.livemode));
    const listed = [...new Set(properties.all.flatMap(({ origins }) => origins))].join(', ');
    const detail = isTest
      ? `No property lists the origin ${seen}. Listed are: ${listed}`
      : 'No property lists this origin';
    throw new ProblemError('forbidden', { detail, param: 'Origin' });
  }
  if (c.req.method === 'OPTIONS') {
    return new Response(null, {
      status: 204,
      headers: {
        ...(origin === undefined ? {} : { 'access-control-allow-origin': origin }),
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': 'authorization, content-type, traceparent',
        'access-control-max-age': '7200',
      },
    });
  }
  await next();
  if (origin !== undefined && c.res.status !== 403) {
    c.res.headers.set('access-control-allow-origin', origin);
    c.res.headers.set('access-control-expose-headers', 'retry-after, x-request-id');
  }
};
