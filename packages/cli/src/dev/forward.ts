/** Brings an event to the developer’s own site, as the proxy would. */
import type { IncomingHttpHeaders } from 'node:http';

/** How a delivery went. */
export interface Delivered {
  /** Undefined: nobody answered. */
  readonly status: number | undefined;
  /** For the end of a line: `→ 204 in 12 ms`. */
  readonly text: string;
  /** Whether nobody listened. */
  readonly isRefused?: boolean;
}

const TIMEOUT_MS = 15_000;
/** Headers that belong to one connection. */
const OF_THE_CONNECTION = /^(host|connection|content-length|transfer-encoding|keep-alive|upgrade|expect|te|trailer)$/;

/** What is delivered, and what happens to it when it is not accepted. */
interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly fetch: typeof globalThis.fetch;
  /** Such as `it is tried again`. */
  readonly otherwise: string;
}

/** Posts the body as it is. Never throws; redirects are not followed, as the proxy does not. */
export async function forward(url: string, { headers, body, fetch, otherwise }: Delivery): Promise<Delivered> {
  const startedAt = performance.now();
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      // The platform’s type wants a buffer that is not shared; Node’s is not.
      body: body as Uint8Array<ArrayBuffer>,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer.body?.cancel();
    const ms = Math.round(performance.now() - startedAt);
    return { status: answer.status, text: `→ ${answer.status} in ${ms} ms${hintFor(answer.status, otherwise)}` };
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    const { code, message } = Object(Object(error).cause) as { readonly code?: string; readonly message?: string };
    const isRefused = code === 'ECONNREFUSED';
    const why = isLate ? `in ${TIMEOUT_MS / 1_000} s` : `(${code ?? message ?? String(error)})`;
    const text = isRefused ? 'nobody listens there yet' : `no answer ${why}`;
    return { status: undefined, text: `→ ${text}; ${otherwise}`, ...(isRefused && { isRefused }) };
  }
}

export function forwardedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OF_THE_CONNECTION.test(name)
        ? []
        : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

function hintFor(status: number, otherwise: string): string {
  if (status >= 200 && status < 300) return '';
  if (status === 401 || status === 400) return ': does your site check with INNKEEP_WEBHOOK_SECRET of .env.local?';
  if (status === 404 || status === 405) return ': is --forward-to the address of your webhook route?';
  if (status >= 300 && status < 400) return ': redirects are not followed; name the final address';
  return `: ${otherwise}`;
}
