import type { ProblemDetails } from '../errors.ts';

const decoder = new TextDecoder();

/** Reads a JSON object; `undefined` for anything else. */
export function parseObject(json: string | Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(typeof json === 'string' ? json : decoder.decode(json));
    return typeof value === 'object' && !Array.isArray(value)
      ? ((value as Record<string, unknown>) ?? undefined)
      : undefined;
  } catch {
    // The parser's own message quotes the text.
    return undefined;
  }
}

/** Seconds that an answer asks to wait before another try; a date says until when to wait. */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const asked = headers.get('retry-after') ?? '';
  const seconds = Math.ceil(/^\d/.test(asked) ? +asked : (Date.parse(asked) - Date.now()) / 1000);
  return seconds >= 0 ? seconds : undefined;
}

/** What a refusal of the proxy says besides its code. */
export function problemDetails(
  problem: Readonly<Record<string, unknown>>,
  { status, headers }: { readonly status: number; readonly headers: Headers },
): ProblemDetails {
  const text = (name: string): string | undefined => {
    const value = problem[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    status,
    param: text('param'),
    resource: text('resource'),
    traceId: text('traceId'),
    retryAfterSeconds: retryAfterSeconds(headers),
  };
}
