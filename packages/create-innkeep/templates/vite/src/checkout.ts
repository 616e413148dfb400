export interface Checkout {
  endpoint: string;
  clientSecret: string;
}

const [, inAddress, returned] = /^\/bookings\/([\w-]+)(\/paid)?/.exec(location.pathname) ?? [];

export const reference = inAddress ?? 'RES-1234';

/** Whether this is the page that guests come back to. */
export const isReturn = returned !== undefined;

/** What the payment element needs, from the hotel's server. */
export async function openCheckout(): Promise<Checkout> {
  const response = await fetch(`/api/bookings/${reference}/checkout`, { method: 'POST' });
  if (!response.ok) throw new Error(`The server answered ${response.status}`);
  return response.json();
}
