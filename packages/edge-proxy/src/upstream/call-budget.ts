/**
 * The calls that this isolate has under way, by receiver and hotel: whoever wants to make one acquires a permit first. Self-hosted,
 * one isolate is the whole deployment; on Cloudflare there are many, and each keeps to this by itself. Nothing is stored.
 */

import { type Refusal, refuse } from '../http/problem.ts';
import type { Property } from '../properties/configured-properties.ts';
import { type CallKind, type Load, type NoPermit, permitRefusal } from './fair-share.ts';
import { noteHealth, UNKNOWN_HEALTH, type UpstreamHealth } from './upstream-health.ts';

/** Who is called, and for whom. */
export interface CallFor {
  /** Address of a payment service, or host of a webhook. Hotels at the same one share it. */
  readonly receiver: string;
  readonly property: string;
  /** What the call is for: repeated failures of one resource may be its own fault. */
  readonly source: string;
}

/** A permit to make one call. */
export interface Permit {
  /** The call has ended. Left out, how it ended says nothing of the receiver. */
  end(isUp?: boolean): void;
}

interface Bulkhead {
  /** When each call under way began, oldest first. */
  readonly begun: Map<object, number>;
  latestAt: number;
  typicalMs: number;
  health: UpstreamHealth;
}

interface Receiver extends Bulkhead {
  readonly hotels: Map<string, Bulkhead>;
}

/** Longer than any call: an object that dies during its call does not say that it has ended. */
const LOST_MS = 120_000;
/** Until the first call has ended. */
const FIRST_GUESS_MS = 1_000;
/** How much the newest call counts in the average. */
const NEWEST_PART = 1 / 8;

const receivers = new Map<string, Receiver>();

const upstreams = new WeakMap<Property, Pick<CallFor, 'receiver' | 'property'>>();

/** The payment service of a property. */
export function upstreamOf(property: Property): Pick<CallFor, 'receiver' | 'property'> {
  const known = upstreams.get(property);
  if (known !== undefined) return known;
  const upstream = { receiver: new URL(property.baseUrl).origin, property: property.id };
  upstreams.set(property, upstream);
  return upstream;
}

/** A permit, or why there is none. */
export function acquirePermit(kind: CallKind, call: CallFor): Permit | NoPermit {
  const now = Date.now();
  const { hotel, all } = bulkheadsOf(call);
  forgetLost(all, now);
  forgetLost(hotel, now);
  return permitRefusal(kind, { hotel: loadOf(hotel), all: loadOf(all) }, now) ?? countCall(call);
}

/** Counts a call that nothing may hold back. */
export function countCall(call: CallFor): Permit {
  const now = Date.now();
  const { receiver, property, source } = call;
  const { hotel, all } = bulkheadsOf(call);
  receivers.set(receiver, all);
  all.hotels.set(property, hotel);
  const permit: Permit = {
    end(isUp) {
      const at = Date.now();
      endCall(hotel, permit, { isUp, at, source });
      // However many calls of one hotel have failed, it is one hotel.
      endCall(all, permit, { isUp, at, source: `hotel ${property}` });
      if (isIdle(hotel) && all.hotels.get(property) === hotel) all.hotels.delete(property);
      if (isIdle(all) && all.hotels.size === 0 && receivers.get(receiver) === all) receivers.delete(receiver);
    },
  };
  for (const bulkhead of [hotel, all]) {
    bulkhead.begun.set(permit, now);
    bulkhead.latestAt = now;
  }
  return permit;
}

/** Whether there was no permit. */
export function isRefused(permit: Permit | NoPermit): permit is NoPermit {
  return 'waitMs' in permit;
}

/** The answer to somebody whose call has no permit. Nothing was sent. */
export function toBusyRefusal({ because, waitMs }: NoPermit): Refusal {
  const retryAfterSeconds = Math.ceil(waitMs / 1_000);
  if (because === 'hotel') {
    const detail = 'This property has too many calls under way; nothing was sent';
    return refuse('rate_limited', { detail, retryAfterSeconds });
  }
  const detail =
    because === 'failing'
      ? 'The payment service does not answer right now; nothing was sent'
      : 'The payment service has too many calls under way; nothing was sent';
  return refuse('upstream_unavailable', { detail, retryAfterSeconds });
}

function bulkheadsOf({ receiver, property }: CallFor): { readonly hotel: Bulkhead; readonly all: Receiver } {
  const all = receivers.get(receiver) ?? { ...newBulkhead(), hotels: new Map<string, Bulkhead>() };
  return { hotel: all.hotels.get(property) ?? newBulkhead(), all };
}

function newBulkhead(): Bulkhead {
  return { begun: new Map(), latestAt: 0, typicalMs: FIRST_GUESS_MS, health: UNKNOWN_HEALTH };
}

function loadOf({ begun, latestAt, typicalMs, health }: Bulkhead): Load {
  const [oldestAt = latestAt] = begun.values();
  return { underWay: begun.size, oldestAt, latestAt, typicalMs, health };
}

function endCall(
  bulkhead: Bulkhead,
  permit: Permit,
  { isUp, at, source }: { readonly isUp: boolean | undefined; readonly at: number; readonly source: string },
): void {
  const begunAt = bulkhead.begun.get(permit);
  if (begunAt === undefined) return;
  bulkhead.begun.delete(permit);
  bulkhead.typicalMs += (at - begunAt - bulkhead.typicalMs) * NEWEST_PART;
  if (isUp !== undefined) bulkhead.health = noteHealth(bulkhead.health, { source, isUp, at });
}

function forgetLost({ begun }: Bulkhead, now: number): void {
  for (const [permit, at] of begun) {
    if (now - at < LOST_MS) return;
    begun.delete(permit);
  }
}

/** It has nothing that a new one would not have. */
function isIdle({ begun, health }: Bulkhead): boolean {
  return begun.size === 0 && health.failures.length === 0;
}
