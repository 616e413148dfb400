/** How a hotel is doing: what is uncertain, what waits, and how full its ledger is. */
import * as v from 'valibot';
import { component } from './component.ts';
import { CountSchema, TimestampSchema } from './fields.ts';

/** How full a ledger can be. */
export const LEDGER_STATUSES = ['ok', 'nearly_full', 'full'] as const;

/** How full a ledger is. */
export const LedgerStatusSchema = component('LedgerStatus', v.picklist(LEDGER_STATUSES), {
  description:
    '`nearly_full` from 70 % on, which the log says once a day; `full` from 95 % on: new charges are refused.',
});

/** What is known of a payment service: `unknown` when it cannot be found out now. */
export const UPSTREAM_STATUSES = ['ok', 'down', 'refused', 'refuses_starts', 'unknown'] as const;

/** How many there are of one kind. */
export const ResourceCountsSchema = component(
  'ResourceCounts',
  v.object({
    /** All in the ledger, which keeps them for 400 days. */
    stored: CountSchema,
    /** Those with an `unknown` outcome: money may have moved. Counted up to 10,000. */
    unknown: CountSchema,
    /** Those without an outcome yet: `open` and `pending`, `created` and `sent`. Counted up to 10,000. */
    waiting: CountSchema,
  }),
  { description: 'How many there are of one kind. `unknown` and `waiting` are counted up to 10,000.' },
);

/** Answer of `GET /v1/status`. */
export const PropertyStatusSchema = component(
  'PropertyStatus',
  v.object({
    /** Kind of resource. */
    object: v.literal('property_status'),
    /** Id of the property. */
    property: v.string(),
    /** The payment service. */
    upstream: v.object({
      /**
       * `down` after several failures in a row, until one call succeeds or ten seconds have passed: charges are refused
       * meanwhile. `refused`: it does not take the hotel's username and password, so nobody can pay; until a login succeeds or
       * the password is changed. `refuses_starts`: it takes the login, but has answered the last three sessions' starts with 401,
       * 403 or 404, so probably nobody can pay; until one succeeds, or `customerId`, `baseUrl` or `username` is changed. `unknown`: it
       * cannot be found out now.
       */
      status: v.picklist(UPSTREAM_STATUSES),
    }),
    /** The machine, when you host the proxy yourself. */
    server: v.object({
      /** How many payments of all hotels it can poll at once, by its limit of open files; null where there is none. */
      maxPending: v.nullable(CountSchema),
    }),
    /** The space that lists, feed and webhooks take. */
    ledger: v.object({
      /** How full it is. */
      status: LedgerStatusSchema,
      /** Its size on disk. */
      bytes: CountSchema,
      /** Its largest size: the setting `LEDGER_MAX_BYTES`. */
      maxBytes: CountSchema,
      /** Its size in percent of the largest, rounded down to a tenth. */
      percent: v.pipe(v.number(), v.minValue(0)),
    }),
    /** The checkout sessions. */
    checkoutSessions: ResourceCountsSchema,
    /** The charges. */
    charges: ResourceCountsSchema,
    /** The reversals. */
    reversals: ResourceCountsSchema,
    /** The webhooks, all endpoints together. */
    webhooks: v.object({
      /** How many deliveries wait. */
      waiting: CountSchema,
      /** When the oldest event that waits happened; null when none does. */
      oldestWaitingAt: v.nullable(TimestampSchema),
      /** How many endpoints are paused after repeated failure. */
      paused: CountSchema,
      /** How many endpoints are disabled, because they answered 410. */
      disabled: CountSchema,
    }),
  }),
  {
    description: 'How a hotel is doing: what is uncertain, what waits, and how full its ledger is.',
    example: {
      object: 'property_status',
      property: 'aurora',
      upstream: { status: 'ok' },
      server: { maxPending: null },
      ledger: { status: 'ok', bytes: 1_870_000_000, maxBytes: 10_000_000_000, percent: 18.7 },
      checkoutSessions: { stored: 600_000, unknown: 1, waiting: 12 },
      charges: { stored: 400_000, unknown: 0, waiting: 1 },
      reversals: { stored: 62_500, unknown: 0, waiting: 0 },
      webhooks: { waiting: 3, oldestWaitingAt: '2026-09-02T08:00:01.000Z', paused: 1, disabled: 0 },
    },
  },
);

/** How a hotel is doing. @interface */
export type PropertyStatus = v.InferOutput<typeof PropertyStatusSchema>;
