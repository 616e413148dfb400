/** The events of every element: bubbling, composed, typed in `HTMLElementEventMap`. No detail ever carries a secret. */
import type { CheckoutView } from '@innkeep/core/checkout';
import type { PayState } from '../state/pay-state.ts';

/** What every event carries: the element's state and the guest view behind it, `null` before the first answer. */
export interface PayEventDetail {
  state: PayState;
  checkout: CheckoutView | null;
}

/** Detail of `pay-statechange`. */
export interface PayStateChangeDetail extends PayEventDetail {
  from: PayState;
  to: PayState;
}

/** Detail of `pay-error`: a stable code, and whether trying again is safe. */
export interface PayErrorDetail extends PayEventDetail {
  code: string;
  recoverable: boolean;
}

/** Every event of the elements, by name. */
export interface PayEventMap {
  'pay-ready': CustomEvent<PayEventDetail>;
  'pay-beforeopen': CustomEvent<PayEventDetail>;
  'pay-statechange': CustomEvent<PayStateChangeDetail>;
  'pay-completed': CustomEvent<PayEventDetail>;
  'pay-failed': CustomEvent<PayEventDetail>;
  'pay-canceled': CustomEvent<PayEventDetail>;
  'pay-expired': CustomEvent<PayEventDetail>;
  'pay-unknown': CustomEvent<PayEventDetail>;
  'pay-error': CustomEvent<PayErrorDetail>;
}

/** Dispatches one event on `target`; false when a listener prevented it. */
export function dispatchPayEvent<Name extends keyof PayEventMap>(
  target: EventTarget,
  name: Name,
  detail: PayEventDetail,
): boolean {
  return target.dispatchEvent(
    new CustomEvent(name, { bubbles: true, composed: true, cancelable: name === 'pay-beforeopen', detail }),
  );
}

declare global {
  interface HTMLElementEventMap extends PayEventMap {}
}
