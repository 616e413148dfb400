/** The `Idempotency-Key` header. */
import { ProblemError } from '../problem.ts';
import type { AppContext } from './app-context.ts';

/** The key; undefined when there is none. 1 to 255 visible ASCII characters. */
export function idempotencyKey(c: AppContext): string | undefined {
  const key = c.req.header('idempotency-key');
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new ProblemError('invalid_request', {
    detail: 'Must be 1 to 255 visible ASCII characters',
    param: 'Idempotency-Key',
  });
}

/** The key of a call that moves money. Without one a lost answer could not be asked for again. */
export function requiredIdempotencyKey(c: AppContext): string {
  const key = idempotencyKey(c);
  if (key !== undefined) return key;
  throw new ProblemError('invalid_request', {
    detail: 'Required: keep a key with the booking before the first try, and send it with every retry',
    param: 'Idempotency-Key',
  });
}
