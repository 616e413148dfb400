/** What is asked of it. */
export interface Call {
  readonly body?: unknown;
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** @default POST with a body, and GET without one */
  readonly method?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Asks the proxy as a server, a desk or a guest does: with the key or secret of theirs, and JSON if they have something to say. */
export function askProxy(url: string, bearer: string, call: Call = {}): Promise<Response> {
  const { body, key, headers, method = body === undefined ? 'GET' : 'POST', signal } = call;
  return fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  });
}
