/** Keys of servers: what each may do, until when and from where. */
import * as v from 'valibot';
import { ADDRESS_RANGE_RULE, isAddressRange } from '../values/address-range.ts';
import type { OutputOf, TypeOf } from './component.ts';
import { TimestampSchema } from './fields.ts';
import { AmountLimitsSchema } from './money.ts';

/** What a merchant key may be allowed to do. */
export const SCOPES = [
  /** Reading everything but tokens of stored cards. Changes nothing. */
  'read',
  /** Checkout sessions and payment links. */
  'checkout',
  /** Charges of stored cards. */
  'charges',
  /** Refunding payments, in full or in part. */
  'reversals',
  /** Ending an uncertain outcome with a person's evidence: whoever may do it can declare anything paid. */
  'resolutions',
  /** Tokens of stored cards, in the sessions that stored them. */
  'tokens',
  /** The event feed, webhook endpoints and redelivery. */
  'events',
  /** Messages to the property-management gateway, as far as `gateway.allow` lets them through. */
  'gateway',
  /** Keying in cards, in the MOTO build and for a property with `moto`. */
  'moto',
  /** Who did what. */
  'audit',
  /** Erasing what names a person of a payment that is final, for good. */
  'redact',
  /** Desk sessions for the people of a reception, with rights that the key has itself. */
  'desk',
] as const;

/** One of {@link SCOPES}. */
export type Scope = (typeof SCOPES)[number];

/** What a platform key may be allowed to do: everything a merchant key may, for its hotels, and to look after the hotels themselves. */
export const PLATFORM_SCOPES = [
  ...SCOPES,
  /** The configuration of hotels. */
  'properties',
] as const;

/** One of {@link PLATFORM_SCOPES}. */
export type PlatformScope = (typeof PLATFORM_SCOPES)[number];

/** What a key with each scope can do, in words that go on from “it can”. */
export const SCOPE_WORDS: Readonly<Record<PlatformScope, string>> = {
  read: 'read everything but card tokens and the audit, and change nothing',
  checkout: 'make, follow and end sessions and payment links',
  charges: 'charge stored cards',
  reversals: 'refund money',
  resolutions: 'declare payments paid or failed',
  tokens: 'read the tokens of stored cards',
  events: 'read events, send them again, and see the status of the hotel',
  gateway: 'send messages to the property-management system',
  moto: 'take card numbers',
  audit: 'read who did what',
  redact: 'erase what names a person in a payment',
  desk: 'make, list and revoke desk sessions with its own rights',
  properties: 'add, change and remove hotels',
};

/** What every key has in the configuration. Constant, or the typings lose the texts where it is spread. */
export const KEY_FIELDS = {
  /** Name of the key in logs and histories: 1 to 40 letters, digits, dots, underscores, hyphens. @example "web" */
  id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9._-]{1,40}$/, 'must be 1 to 40 of A-Z a-z 0-9 . _ -')),
  /**
   * Hexadecimal SHA-256 of the whole `sk_…` or `pk_…` text. The command that adds a key makes both.
   * @example "0000000000000000000000000000000000000000000000000000000000000000"
   */
  sha256: v.pipe(
    v.string(),
    v.toLowerCase(),
    v.regex(/^[0-9a-f]{64}$/, 'must be the 64 hexadecimal characters of the key’s SHA-256'),
  ),
  /** When it was made, as whoever made it wrote down; RFC 3339, UTC. @example "2026-09-01T08:00:00.000Z" */
  createdAt: v.exactOptional(instant()),
  /** When it ends; RFC 3339, UTC. From then on it is refused. @example "2027-09-01T00:00:00.000Z" */
  expiresAt: v.exactOptional(instant()),
  /**
   * The addresses that may use it, 1 to 50: each an IPv4 or IPv6 address, or a range in CIDR notation. Without it every address may.
   * @example ["198.51.100.7", "2001:db8:1::/48"]
   */
  allowFrom: v.exactOptional(
    v.pipe(
      v.array(v.pipe(v.string(), v.check(isAddressRange, ADDRESS_RANGE_RULE))),
      v.minLength(1, 'must name at least one address'),
      v.maxLength(50, 'must name at most 50 addresses'),
    ),
  ),
  /**
   * How much all its reversals of one hotel may refund in a day of the hotel, by currency, in minor units. A currency that is not in it
   * cannot be refunded. An unknown outcome counts as refunded. @example { "EUR": 50000 }
   */
  maxReversal: v.exactOptional(AmountLimitsSchema),
} as const;

/** What every key has in the configuration. */
export type KeyFields = OutputOf<typeof KEY_FIELDS>;

/** Start of the hour in which a key was last used; null: not yet. */
export const LastUsedAtSchema = v.nullable(TimestampSchema);

const merchantKey = v.strictObject({
  ...KEY_FIELDS,
  /** What the key may do: at least one scope. Each operation says which it needs. @example ["checkout", "events"] */
  scopes: v.pipe(v.array(v.picklist(SCOPES)), v.minLength(1, 'must name at least one scope')),
});

export interface MerchantKeyType extends TypeOf<typeof merchantKey> {}

/** A merchant key as the configuration holds it: only its hash. */
export const MerchantKeySchema: MerchantKeyType = merchantKey;

/** A merchant key as the configuration holds it: only its hash. @interface */
export type MerchantKey = v.InferOutput<typeof MerchantKeySchema>;

// @__NO_SIDE_EFFECTS__
function instant() {
  return v.pipe(
    v.string(),
    v.check((text) => v.is(TimestampSchema, text), 'must be an instant in UTC, such as 2027-09-01T00:00:00Z'),
  );
}
