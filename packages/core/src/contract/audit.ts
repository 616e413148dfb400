/** Who did what: what moved money or decided something, in order. */
import * as v from 'valibot';
import { AUTHOR_EXAMPLE, AuthorSchema } from './author.ts';
import { component, openPicklist } from './component.ts';
import { CountSchema, SeqSchema, TimestampSchema } from './fields.ts';
import { InstantSchema, LimitSchema, pageOf } from './list.ts';
import { ResolutionStatusSchema } from './resolution.ts';

/** What can be done. */
export const AUDIT_ACTIONS = [
  'checkout_session.created',
  /** Other terms, or opened anew. */
  'checkout_session.changed',
  'checkout_session.expired',
  'checkout_session.resolved',
  'checkout_session.redacted',
  'charge.created',
  'charge.resolved',
  'charge.redacted',
  'reversal.created',
  'reversal.resolved',
  'reversal.redacted',
  /** The client secret of a session was ended, and a new one made. */
  'client_secret.rotated',
  'payment_link.created',
  'payment_link.revoked',
  'desk_session.created',
  'desk_session.revoked',
  /** A stored card's token was read. */
  'card_token.read',
  'export.read',
  /** The hotel's configuration has a new version. */
  'property.changed',
  /** Calls without the scope they need, counted by the hour. */
  'request.refused',
] as const;

/** What can be done. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

const EXAMPLE = {
  object: 'audit_entry',
  id: 'au_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
  property: 'aurora',
  at: '2026-09-03T08:00:00.000Z',
  action: 'reversal.created',
  resource: 'rv_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
  by: AUTHOR_EXAMPLE,
  requestId: '0af7651916cd43dd8448eb211c80319c',
  network: '198.51.100.7',
} as const;

/** One thing that somebody did. */
export const AuditEntrySchema = component(
  'AuditEntry',
  v.object({
    /** Kind of resource. */
    object: v.literal('audit_entry'),
    /** `au_…`. */
    id: v.string(),
    /** Id of the hotel. */
    property: v.string(),
    /** When; for refused requests the start of the hour. RFC 3339 UTC. */
    at: TimestampSchema,
    /**
     * What was done. `checkout_session.changed`: other terms, or opened anew. `request.refused`: calls without the scope that they
     * need, counted by the hour.
     */
    action: openPicklist(AUDIT_ACTIONS),
    /** Id of what it was done to; null where that is the hotel itself. */
    resource: v.nullable(v.string()),
    /** Who did it. */
    by: AuthorSchema,
    /** The `x-request-id` of the call; null for what was counted. */
    requestId: v.nullable(v.string()),
    /** Where the call came from: an IPv4 address, or the first 64 bits of an IPv6 one; null where the proxy cannot tell. */
    network: v.nullable(v.string()),
    /** Only when an uncertain outcome was resolved: as what. */
    status: v.exactOptional(ResolutionStatusSchema),
    /** Only when a charge or a reversal was resolved: whether by the one who had made it. */
    byAuthor: v.exactOptional(v.boolean()),
    /** Only with `property.changed`: version of the configuration since then. */
    version: v.exactOptional(SeqSchema),
    /** Only of refusals, exports and cards that were keyed in: the method and the route. */
    route: v.exactOptional(v.string()),
    /** Only with `request.refused`: code of the refusal. */
    code: v.exactOptional(v.string()),
    /** Only with `request.refused`: how many times in this hour. */
    count: v.exactOptional(CountSchema),
  }),
  { description: 'Who did what, and when.', example: EXAMPLE },
);

/** One thing that somebody did. @interface */
export type AuditEntry = v.InferOutput<typeof AuditEntrySchema>;

/** Answer of `GET /v1/audit`. */
export const AuditListSchema = component('AuditList', pageOf(AuditEntrySchema), {
  description:
    'A page of the audit, the newest entry first. It may be empty although more follow: continue while there is a cursor.',
  example: { object: 'list', data: [EXAMPLE], nextCursor: null },
});

const range = {
  /** First day or instant, UTC, included. */
  from: InstantSchema,
  /** Last day or instant, UTC, not included. */
  to: InstantSchema,
} as const;

/** Query of `GET /v1/audit`. */
export const ListAuditSchema = v.strictObject({
  ...range,
  // The list is at the field of the entry; a list of its own would be another model of every client.
  /** Only entries with this `action`. */
  action: v.optional(
    v.pipe(
      v.string(),
      v.check((action) => (AUDIT_ACTIONS as readonly string[]).includes(action), 'There is no such action'),
    ),
  ),
  /** Only what was done with the key of this name; `platform/key` for one of a platform. */
  key: v.optional(v.pipe(v.string(), v.maxLength(81))),
  /** Only what this person did: the id that the caller gave. */
  person: v.optional(v.pipe(v.string(), v.maxLength(64))),
  /** Only what was done to the resource with this id. */
  resource: v.optional(v.pipe(v.string(), v.maxLength(40))),
  limit: LimitSchema,
  /** `nextCursor` of the page before. */
  cursor: v.optional(v.pipe(v.string(), v.maxLength(200))),
});

/** Filter and place of a list of the audit. */
export interface ListAudit extends Omit<v.InferInput<typeof ListAuditSchema>, 'action' | 'limit'> {
  /** Only entries with this `action`. */
  action?: AuditAction | undefined;
  /** 1 to 100. @default 20 */
  limit?: number | undefined;
}

/** Query of `GET /v1/audit.csv`. */
export const AuditRangeSchema = v.strictObject({
  /** First day or instant, UTC, included. */
  from: v.unwrap(range.from),
  /** Last day or instant, UTC, not included. */
  to: v.unwrap(range.to),
});
