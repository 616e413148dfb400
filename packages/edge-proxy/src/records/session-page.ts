/** A session as the hosted page's way there and back, and the pages of payment links, need it. Pure. */
import type { CheckoutSession, CheckoutView } from '@innkeep/core/contract';
import { type Presentation, type SessionRecord, type StartedRecord, toCheckoutView } from './session-record.ts';

export interface StartedSession {
  readonly view: CheckoutView;
  readonly viewUrl: string;
}

export interface SessionPage {
  readonly view: CheckoutView;
  readonly property: string;
  readonly presentation: Presentation | null;
  readonly returnUrl: string | null;
  /** The session that follows this one; null while there is none. */
  readonly successor: string | null;
  /** The session that this one follows; null for the first. */
  readonly previous: string | null;
}

/** A session among the tries of its links. */
export interface ChainLink {
  readonly session: CheckoutSession;
  /** As in {@link SessionPage}. */
  readonly successor: string | null;
  readonly previous: string | null;
}

/** How a client secret is asked for. */
export interface SecretRequest {
  /** Whether the secret so far ends. */
  readonly rotate: boolean;
  /** Idempotency key of the call: repeated, it ends nothing more. */
  readonly key?: string | undefined;
}

/** Who a guest's call comes from. */
export interface GuestCaller {
  /** SHA-256 of the client secret. */
  readonly secretHash: string;
  readonly origin: string | null;
  readonly publicOrigin: string;
}

export function toStartedSession(record: StartedRecord): StartedSession {
  return { view: toCheckoutView(record, Date.now()), viewUrl: record.hosted.viewUrl };
}

export function toSessionPage(record: SessionRecord): SessionPage {
  const { property, presentation, returnUrl, successor = null, previous } = record;
  return { view: toCheckoutView(record, Date.now()), property, presentation, returnUrl, successor, previous };
}
