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
