/** The `Idempotency-Key` header. */
import type { Context, MiddlewareHandler } from 'hono';
import { ProblemError } from '../problem.ts';
import { takes } from './describe.ts';

/** A key that may be left out; the handler has it as `c.get('idempotencyKey')`. */
export const optionalIdempotencyKey: MiddlewareHandler<{ Variables: { idempotencyKey: string | undefined } }> = takes(
  { idempotencyKey: 'optional' },
  (c, next) => {
    c.set('idempotencyKey', readKey(c));
    return next();
  },
);

/** The key of a call that moves money. Without one a lost answer could not be asked for again. */
export const requiredIdempotencyKey: MiddlewareHandler<{ Variables: { idempotencyKey: string } }> = takes(
  { idempotencyKey: 'required' },
  (c, next) => {
    const key = readKey(c);
    if (key === undefined)
      throw invalid('Required: store a key with the booking before the first try, and send it with every retry');
    c.set('idempotencyKey', key);
    return next();
  },
);

function readKey({ req }: Pick<Context, 'req'>): string | undefined {
  const key = req.header('idempotency-key');
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw invalid('Must be 1 to 255 visible ASCII characters');
}

function invalid(detail: string): ProblemError {
  return new ProblemError('invalid_request', { detail, param: 'Idempotency-Key' });
}
