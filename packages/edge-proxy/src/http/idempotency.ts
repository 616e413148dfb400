/** The `Idempotency-Key` header. */
import { holdsCardNumber } from '@innkeep/core/values';
import type { Context, MiddlewareHandler } from 'hono';
import { takes } from './describe.ts';
import { ProblemError, type Refusal, refuse } from './problem.ts';

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

/** Headers of an answer that an earlier call with the same key may have made. */
export function replayed(isReplay: boolean): Record<string, string> {
  return isReplay ? { 'idempotent-replayed': 'true' } : {};
}

function readKey({ req }: Pick<Context, 'req'>): string | undefined {
  const key = req.header('idempotency-key');
  if (key === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw invalid('Must be 1 to 255 visible ASCII characters');
  if (isCardNumber(key)) throw invalid('The key must not contain a card number');
  return key;
}

/** Whether a caller’s own id has a card number. Only numbers that a card network issues count: ids are made of times and random digits. */
export function isCardNumber(id: string): boolean {
  return holdsCardNumber(id, { issued: true });
}

function invalid(detail: string): ProblemError {
  return new ProblemError('invalid_request', { detail, param: 'Idempotency-Key' });
}

/** The answer to a key that another request has used. */
export function keyMismatch(
  resource: string,
  detail = 'This key was used with another body: read what that made before you use a new key',
): Refusal {
  return refuse('idempotency_mismatch', { detail, param: 'Idempotency-Key', resource });
}
