/** The events of every element: bubbling, composed, typed wherever they are heard. No detail ever carries a secret. */
import type { CheckoutView } from '@innkeep/core/checkout';
import type { PayState } from '../state/pay-state.ts';

/** What every event carries: the element's state and the guest view behind it, `null` before the first answer. */
export interface PayEventDetail {
  /** What the element shows now. */
  state: PayState;
  /** The session as the proxy last described it; `null` before the first answer. */
  checkout: CheckoutView | null;
}

/** Detail of `pay-statechange`. */
export interface PayStateChangeDetail extends PayEventDetail {
  /** What the element showed before. */
  from: PayState;
  /** What it shows now. */
  to: PayState;
}

/** Codes of `pay-error` beyond those of the proxy and of `@innkeep/core`. */
export type PayErrorCode =
  /**
   * The element has no endpoint or no client secret: the page gave none, or the guest came back in another browser.
   *
   * Money: says nothing about it; the guest may have paid.
   *
   * What to do: on a return page let the hotel's server make a further client secret for the session and give it to the element.
   */
  | 'secret_missing'
  /**
   * The page's own `getClientSecret` failed. What it threw is not passed on, since it may quote a secret.
   *
   * Money: did not move; no session was started.
   *
   * What to do: repair the page's call to the hotel's server. The guest may try again.
   */
  | 'secret_failed';

/** Detail of `pay-error`: a stable code, whether trying again is safe, and what the proxy said about the refusal. */
export interface PayErrorDetail extends PayEventDetail {
  /** {@link PayErrorCode}, or the code of the proxy or of `@innkeep/core` that stopped it. */
  code: PayErrorCode | (string & {});
  /** What is wrong and what to do, in English, for the developer; never a secret. Guests read the element's own texts. */
  message: string;
  /** Whether the element offers to try again. */
  recoverable: boolean;
  /** Id under which the proxy logged the refused call, for its operator; absent when the proxy did not answer. */
  traceId?: string | undefined;
  /** What was refused, where it is known: a property of the element, a field as a dotted path, or a header. */
  param?: string | undefined;
}

/** Every event of the elements, by name. */
export interface PayEventMap {
  /** The session is known to be open. Once per session. */
  'pay-ready': CustomEvent<PayEventDetail>;
  /** The hosted page is about to open; `preventDefault()` stops it. Synchronous, inside the click. */
  'pay-beforeopen': CustomEvent<PayEventDetail>;
  /** The state has changed. */
  'pay-statechange': CustomEvent<PayStateChangeDetail>;
  /** Paid, or the card is saved; verified by the proxy. */
  'pay-completed': CustomEvent<PayEventDetail>;
  /** An attempt ended without money: declined, or failed. The session is open for the next one. */
  'pay-failed': CustomEvent<PayEventDetail>;
  /** The guest canceled an attempt. The session is open for the next one. */
  'pay-canceled': CustomEvent<PayEventDetail>;
  /** The session has expired; a late answer may still follow. */
  'pay-expired': CustomEvent<PayEventDetail>;
  /** Money may have moved; the hotel will check. Not a failure. */
  'pay-unknown': CustomEvent<PayEventDetail>;
  /** The guest goes on to the site's next step; `preventDefault()` keeps a link from being followed. */
  'pay-continue': CustomEvent<PayEventDetail>;
  /** A technical failure, which says nothing about the payment. */
  'pay-error': CustomEvent<PayErrorDetail>;
}

/** Dispatches one event on `target`; false when a listener prevented it. */
export function dispatchPayEvent<Name extends keyof PayEventMap>(
  target: EventTarget,
  name: Name,
  detail: PayEventDetail,
): boolean {
  return target.dispatchEvent(
    new CustomEvent(name, {
      bubbles: true,
      composed: true,
      cancelable: ['pay-beforeopen', 'pay-continue'].includes(name),
      detail,
    }),
  );
}

declare global {
  interface GlobalEventHandlersEventMap extends PayEventMap {}
}
