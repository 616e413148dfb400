/** Which events are about real money. Pure. */

/** By the mode when it happened: a test hotel may have been live then. */
export function isOfRealMoney(body: string): boolean {
  const { data } = JSON.parse(body) as { readonly data: { readonly object: { readonly livemode?: boolean } } };
  return data.object.livemode === true;
}

/** An event that has others erase what they have been told before. */
export function isRedaction(body: string): boolean {
  return (JSON.parse(body) as { readonly type: string }).type === 'payment.redacted';
}
