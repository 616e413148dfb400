/** Calls of the proxy, as a hotel's server, a guest's page or an operator makes them. */
import { askProxy, type Call } from '../../../tests/support/ask-proxy.ts';

/** Throws when the answer is a refusal. */
export async function ask(url: string, secret: string, call?: Call): Promise<Response> {
  const answer = await askProxy(url, secret, call);
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

/** The same; the answer's JSON. */
export async function call<Body>(url: string, secret: string, options?: Call): Promise<Body> {
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
