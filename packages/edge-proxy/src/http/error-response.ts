/** The one place where failures become answers. */
import { redactText } from '@innkeep/core/values';
import { HTTPException } from 'hono/http-exception';
import { type AppContext, limit } from './app-context.ts';
import { ProblemError, toProblemDocument } from './problem.ts';

/** When to ask again, by code, where the answer is always the same: a configuration is not corrected in seconds. */
const RETRY_AFTER_SECONDS: Readonly<Record<string, number>> = { property_unavailable: 60 };

/** Longest text of an unexpected error in the log: it may quote anything. */
const MAX_LOGGED_ERROR = 500;

/** Answers a thrown failure; one that is not ours is `internal`, and only the log learns more. */
export async function errorResponse(error: Error, c: AppContext): Promise<Response> {
  const problem = await limitFailures(toProblem(error), c);
  const { code, details } = problem;
  const fields = c.get('logFields');
  fields.code = code;
  // The setting that keeps the proxy from answering, never what a caller has sent.
  if (problem.status >= 500 && details.param !== undefined) fields.param = details.param;
  if (code === 'internal') fields.error = redactText(`${error.name}: ${error.message}`).slice(0, MAX_LOGGED_ERROR);
  const { retryAfterSeconds = RETRY_AFTER_SECONDS[code], allow } = details;
  return new Response(JSON.stringify(toProblemDocument(problem, c.get('traceId'))), {
    status: problem.status,
    headers: {
      'content-type': 'application/problem+json',
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
      ...(allow === undefined ? {} : { allow: allow.join(', ') }),
      ...(code === 'unauthorized' ? { 'www-authenticate': 'Bearer' } : {}),
    },
  });
}

function toProblem(error: Error): ProblemError {
  if (error instanceof ProblemError) return error;
  // The validator throws no other one. The message of JSON.parse would quote the body.
  if (error instanceof HTTPException) {
    return new ProblemError('invalid_request', { detail: 'The body is not JSON', param: 'body' });
  }
  return new ProblemError('internal', { detail: 'Something went wrong in the proxy' });
}

/** Whoever fails to authenticate too often is answered 429 instead of 401. */
async function limitFailures(problem: ProblemError, c: AppContext): Promise<ProblemError> {
  if (problem.code !== 'unauthorized') return problem;
  return limit(c, 'failure').then(() => problem, toProblem);
}
