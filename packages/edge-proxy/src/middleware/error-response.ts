/** The one place where failures become answers. */
import type { Context } from 'hono';
import { ProblemError, toProblemDocument } from '../problem.ts';
import type { AppContext, AppEnv } from './app-context.ts';

/** Answers a thrown failure; one that is not ours is `internal`, and only the log learns more. */
export function errorResponse(error: Error, c: Context<AppEnv>): Response {
  const problem =
    error instanceof ProblemError ? error : new ProblemError('internal', { detail: 'Something went wrong here' });
  const facts = c.get('facts');
  facts.code = problem.code;
  if (problem.code === 'internal') facts.error = `${error.name}: ${error.message}`;
  return problemResponse(c, problem);
}

function problemResponse(c: AppContext, problem: ProblemError): Response {
  const { retryAfterSeconds, allow } = problem.details;
  return new Response(JSON.stringify(toProblemDocument(problem, c.get('traceId'))), {
    status: problem.status,
    headers: {
      'content-type': 'application/problem+json',
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
      ...(allow === undefined ? {} : { allow: allow.join(', ') }),
      ...(problem.code === 'unauthorized' ? { 'www-authenticate': 'Bearer' } : {}),
    },
  });
}
