/** Brings an element into each of its states the way a guest would. */
import type { CheckoutElement } from '../src/base/checkout-element.ts';
import { type PayState, TRANSITIONS } from '../src/state/pay-state.ts';
import { type FakeProxy, problem, SECRET } from './fake-proxy.ts';
import { create, type ElementTag, settle } from './fixture.ts';

export const STATES = Object.keys(TRANSITIONS) as PayState[];

/** Mounts an element whose session makes it show `state`. `opening` never ends. */
export async function mountInState(
  state: PayState,
  proxy: FakeProxy,
  properties: Partial<CheckoutElement> = {},
  tag: ElementTag = 'pay-widget',
): Promise<CheckoutElement> {
  if (state === 'waiting') proxy.moveTo('pending');
  else if (state === 'unknown') proxy.moveTo('unknown');
  else if (state === 'expired') proxy.moveTo('expired', { final: true });
  else if (state === 'error') proxy.intercept = () => problem(503, 'upstream_unavailable');
  else if (state !== 'idle' && state !== 'opening') proxy.moveTo(state);
  const element = create(tag, { clientSecret: SECRET, ...properties });
  document.body.append(element);
  await settle();
  if (state === 'opening') {
    proxy.intercept = ({ method }) => (method === 'POST' ? new Promise<Response>(() => {}) : undefined);
    void element.start();
    await settle();
  }
  return element;
}
