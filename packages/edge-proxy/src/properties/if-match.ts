/** Which version of a resource a change is meant for: `If-Match` and `If-None-Match` (RFC 9110, section 13). */
import type { MiddlewareHandler } from 'hono';
import { takes } from '../http/describe.ts';
import { ProblemError } from '../http/problem.ts';
import type { PropertyChange } from './property-configuration.ts';

type Expected = PropertyChange['expected'];

/** Whatever compresses an answer on its way, such as Cloudflare or nginx, makes its tag a weak one. */
const ETAGS = /^\s*(?:W\/)?"\d{1,15}"(?:\s*,\s*(?:W\/)?"\d{1,15}")*\s*$/;

/** Reads the condition; the handler has it as `c.get('expected')`. */
export const condition: MiddlewareHandler<{ Variables: { expected: Expected } }> = takes(
  { hasCondition: true },
  async ({ req, set }, next) => {
    set('expected', readCondition(req.header('if-match'), req.header('if-none-match')));
    await next();
  },
);

export function etag(version: number): { etag: string } {
  return { etag: `"${version}"` };
}

function readCondition(ifMatch: string | undefined, ifNoneMatch: string | undefined): Expected {
  if (ifNoneMatch !== undefined && ifNoneMatch.trim() !== '*') {
    throw new ProblemError('invalid_request', { detail: 'Must be *', param: 'If-None-Match' });
  }
  if (ifMatch === undefined) return ifNoneMatch === undefined ? undefined : null;
  if (ifMatch.trim() === '*') return '*';
  if (ETAGS.test(ifMatch)) return (ifMatch.match(/\d+/g) ?? []).map(Number);
  throw new ProblemError('invalid_request', {
    detail: 'Must be a version in quotes, such as "3", or *',
    param: 'If-Match',
  });
}
