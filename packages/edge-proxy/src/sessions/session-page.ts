/** A session as the hosted page's way there and back, and the pages of payment links, need it. Pure. */
import { type CheckoutView, MAX_ATTEMPTS } from '@innkeep/core/contract';
import type { Actor } from '../properties/actor.ts';
import type { AttemptRecord, Presentation } from './attempt-record.ts';
import { pendingAttempt, type SessionRecord, toCheckoutView } from './session-record.ts';

/** How a start is asked for. */
export interface StartRequest {
  readonly presentation: Presentation;
  /** Version of the terms that the guest was shown. */
  readonly terms: number;
  readonly publicUrl: string;
  readonly traceparent?: string | undefined;
}

export interface StartedSession {
  readonly view: CheckoutView;
  readonly viewUrl: string;
}

export interface SessionPage {
  readonly view: CheckoutView;
  readonly property: string;
  /** How the attempt that the guest comes back from was shown. */
  readonly presentation: Presentation | null;
  readonly returnUrl: string | null;
  /** Whether the page may offer the next attempt, or the one under way. */
  readonly mayStart: boolean;
  /** Where the attempt under way is paid. Its hotel may lead elsewhere by now. */
  readonly viewUrl: string | undefined;
}

/** How a client secret is asked for. */
export interface SecretRequest {
  /** Whether the secret so far ends. */
  readonly rotate: boolean;
  /** Who ends it, when that is all that they want. */
  readonly actor?: Actor;
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

export function toStartedSession(record: SessionRecord, attempt: AttemptRecord): StartedSession {
  return { view: toCheckoutView(record), viewUrl: attempt.hosted.viewUrl };
}

/** @param attempt the one that the guest comes back from; undefined for the page of a link */
export function toSessionPage(record: SessionRecord, attempt?: AttemptRecord): SessionPage {
  const { property, returnUrl, attempts, state } = record;
  const isNewest = (attempt?.number ?? attempts.length) === attempts.length;
  // Every page leads back to what is under way: the guest may have come to it by the browser’s button.
  const mayStart = state === 'pending' || (isNewest && state === 'open' && attempts.length < MAX_ATTEMPTS);
  return {
    view: toCheckoutView(record),
    property,
    presentation: attempt?.presentation ?? null,
    returnUrl,
    mayStart,
    viewUrl: pendingAttempt(record)?.hosted.viewUrl,
  };
}
