import type { PropertyInput } from '@innkeep/core/contract';
import type { Io } from '../process/io.ts';
import { type CheckResult, ok, skipped } from './check-result.ts';

const NAME = 'chunked-bodies';
const TIMEOUT_MS = 15_000;

/**
 * Whether the payment service takes a body whose length is not announced. Tried with a login: it moves no money, its
 * credentials have just been accepted, and a service that sees no body sees no user to lock out either.
 */
export async function checkChunkedBodies(io: Io, { baseUrl, username, password }: PropertyInput): Promise<CheckResult> {
  const init: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    // A stream has no length.
    body: new Blob([JSON.stringify({ username, password })]).stream(),
    duplex: 'half',
    redirect: 'manual',
    signal: AbortSignal.any([io.signal, AbortSignal.timeout(TIMEOUT_MS)]),
  };
  const seen = await io.fetch(`${baseUrl.replace(/\/{1,9}$/, '')}/login`, init).then(describe, () => 'no answer');
  io.signal.throwIfAborted();
  if (seen === undefined) return ok(NAME, 'The payment service also accepts bodies without a Content-Length.');
  return {
    check: NAME,
    status: 'advice',
    message: `The payment service accepts no body without a Content-Length: a chunked login got ${seen}.`,
    fix: 'Innkeep sends a Content-Length with every request. Make sure that everything that forwards them, such as an outgoing proxy or a firewall, keeps it.',
  };
}

/** Says that there was no login to try it with. */
export function skippedChunkedBodies(): CheckResult {
  return skipped(NAME, 'A chunked login was not tried.', 'Correct the login first.');
}

/** What is wrong with the answer to a login; undefined when it brought a token, which is not used. */
async function describe(answer: Response): Promise<string | undefined> {
  const { access_token: token } = Object(await answer.json().catch(() => undefined)) as { access_token?: unknown };
  return answer.ok && typeof token === 'string' ? undefined : `status ${answer.status}`;
}
