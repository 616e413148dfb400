import { expect } from 'vitest';

/** A webhook that the proxy did not sign is refused by the server at an address. */
export async function sendForgedWebhooks({ url }: { readonly url: string }): Promise<void> {
  const forge = async (headers: Record<string, string>): Promise<number> => {
    const body = JSON.stringify({ id: 'ev_1', type: 'checkout.succeeded', data: { object: { id: 'cs_forged' } } });
    return (await fetch(new URL('/hooks', url), { method: 'POST', headers, body })).status;
  };
  const now = String(Math.floor(Date.now() / 1000));
  const signature = `v1,${Buffer.alloc(32).toString('base64')}`;
  expect(await forge({ 'webhook-id': 'ev_1', 'webhook-timestamp': now, 'webhook-signature': signature })).toBe(400);
  expect(await forge({ 'webhook-id': 'ev_1', 'webhook-timestamp': 'now', 'webhook-signature': signature })).toBe(400);
  expect(await forge({})).toBe(400);
}
