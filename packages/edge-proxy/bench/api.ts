/** Calls of the proxy, as a hotel's server, a guest's page or an operator makes them. */

interface ApiCall {
  readonly method?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a body by POST unless a method is named. Throws when the answer is a refusal. */
export async function ask(url: string, secret: string, { body, method, headers }: ApiCall = {}): Promise<Response> {
  const answer = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { authorization: `Bearer ${secret}`, ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

/** The same; the answer's JSON. */
export async function call<Body>(url: string, secret: string, options?: ApiCall): Promise<Body> {
  return (await ask(url, secret, options)).json() as Promise<Body>;
}

/** A payment of 120 euros. */
export function payment(reference: string, changes: object = {}): object {
  return {
    kind: 'payment',
    amount: { value: 12_000, currency: 'EUR' },
    reference,
    expiresInSeconds: 3_600,
    ...changes,
  };
}
