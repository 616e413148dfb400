/** What one person at a reception may do, from one page, for at most an hour, or from the proxy's own page for a day's work. */
import * as v from 'valibot';
import { isOrigin } from '../values/web-address.ts';
import { AUTHOR_EXAMPLE, AuthorSchema, isPerson } from './author.ts';
import { component, openPicklist } from './component.ts';
import { DESK_FEATURES, type DeskFeature, DeskFeatureSchema } from './desk-feature.ts';
import { WEBHOOK_EVENT_TYPES } from './event.ts';
import { idOf, SeqSchema, TimestampSchema } from './fields.ts';
import { feedOf, LimitSchema, pageOf } from './list.ts';
import { AmountLimitsSchema } from './money.ts';

/** How long a desk session can last, in seconds. */
export const MAX_DESK_SECONDS = 3_600;

/** How long one of the proxy's own page can last, in seconds. It ends sooner when nobody uses it. */
export const MAX_DESK_PAGE_SECONDS = 28_800;

const PersonIdSchema = v.pipe(v.string(), v.check(isPerson, 'Must be 1 to 64 visible ASCII characters'));

/** Who a desk session is for. */
export const DeskPersonSchema = component(
  'DeskPerson',
  v.strictObject({
    /** An id of your own, for the audit. */
    id: PersonIdSchema,
  }),
  {
    description: 'Who a desk session is for: `id` is an id of your own, for the audit.',
  },
);

const GRANT = {
  person: { id: 'emp-42' },
  origin: 'https://office.hotel.example',
  features: ['read', 'reverse'] as DeskFeature[],
  maxReversal: { EUR: 20_000 },
};

/** Body of `POST /v1/desk-sessions`. */
export const CreateDeskSessionSchema = component(
  'CreateDeskSession',
  v.pipe(
    v.strictObject({
      /** Who it is for: becomes the author of everything that is done with it. */
      person: DeskPersonSchema,
      /** Origin of the page that uses it; one of the property's `deskOrigins`. Either this or `page`. */
      origin: v.optional(
        v.pipe(v.string(), v.check(isOrigin, 'Must be an origin such as https://office.example, without a path')),
      ),
      /** For the proxy's own page, `/desk/{property}`: the answer has a link to it instead of a secret. @default false */
      page: v.optional(v.boolean(), false),
      /**
       * What it may do, and never more than the key may: `read` payments, `reverse` them, `charge` stored cards, make a payment `link`,
       * `resolve` uncertain outcomes, `export` payments as CSV.
       */
      features: v.pipe(
        v.array(DeskFeatureSchema),
        v.minLength(1, 'Must name at least one feature'),
        v.maxLength(DESK_FEATURES.length, 'Must name each feature once'),
      ),
      /**
       * How much the person may refund in a day of the hotel, by currency, in minor units, all desk sessions with a limit
       * together. The limit of the key applies, too. Without it, that one alone.
       */
      maxReversal: v.optional(AmountLimitsSchema),
      /** How long it lasts: 60 to 3,600 seconds, for the proxy's own page up to 28,800. Without it, as long as it can. */
      expiresInSeconds: v.optional(
        v.pipe(
          v.number(),
          v.integer('Must be an integer'),
          v.minValue(60, 'Must be at least 60'),
          v.maxValue(MAX_DESK_PAGE_SECONDS, `Must be at most ${MAX_DESK_PAGE_SECONDS}`),
        ),
      ),
    }),
    v.forward(
      v.check(({ origin, page }) => origin !== undefined || page, 'Must be given, unless "page" is'),
      ['origin'],
    ),
    v.forward(
      v.check(({ origin, page }) => origin === undefined || !page, 'Must not be combined with "origin"'),
      ['page'],
    ),
    v.forward(
      v.check(
        ({ expiresInSeconds = 0, page }) => page || expiresInSeconds <= MAX_DESK_SECONDS,
        `Must be at most ${MAX_DESK_SECONDS}`,
      ),
      ['expiresInSeconds'],
    ),
  ),
  { description: 'Who may do what, and from which page.' },
);

type DeskSessionInput = v.InferInput<typeof CreateDeskSessionSchema>;

/** Body of `deskSessions.create` for a page of the hotel's own. @interface */
export type CreateDeskSession = Omit<DeskSessionInput, 'origin' | 'page'> & {
  /** Origin of the page that uses it; one of the property's `deskOrigins`. */
  origin: string;
  /** True for the proxy's own page. */
  page?: false;
};

/** Body of `deskSessions.create` for the proxy's own page. @interface */
export type CreateDeskPage = Omit<DeskSessionInput, 'origin' | 'page'> & {
  /** For the proxy's own page, `/desk/{property}`. */
  page: true;
};

const ID = 'ds_01JZ8M4Q9T6V2X3Y5A7B8C9D0E';

/** Answer of `POST /v1/desk-sessions`. */
export const CreatedDeskSessionSchema = component(
  'CreatedDeskSession',
  v.object({
    /** `ds_…`; no secret. */
    id: idOf('ds'),
    /** For a page of the hotel's own, `ds_…`: shown this once. Absent with `page`. */
    clientSecret: v.optional(v.string()),
    /** A link that opens the proxy's own page once; shown this once. Only with `page`. */
    url: v.optional(v.string()),
    /** Until when the session can be used, or the link can be opened, RFC 3339 UTC. */
    expiresAt: TimestampSchema,
  }),
  {
    description: 'A desk session with its `clientSecret`, or with the link to the proxy’s own page.',
    example: { id: ID, clientSecret: 'ds_…', expiresAt: '2026-09-03T09:00:00.000Z' },
  },
);

type CreatedOutput = v.InferOutput<typeof CreatedDeskSessionSchema>;

/** A desk session and its secret. @interface */
export type CreatedDeskSession = Omit<CreatedOutput, 'clientSecret' | 'url'> & {
  /** `ds_…`: shown this once. */
  clientSecret: string;
};

/** A desk session of the proxy's own page, and the link that opens it once. @interface */
export type CreatedDeskPage = Omit<CreatedOutput, 'clientSecret' | 'url'> & {
  /** A link that opens the proxy's own page once; shown this once. */
  url: string;
};

/** Body of `POST /desk/{property}/session`, by which the page of a link gets its cookie. */
export const OpenDeskPageSchema = component(
  'OpenDeskPage',
  v.strictObject({
    /** The fragment of the link. It works once, for a minute. */
    code: v.pipe(v.string(), v.maxLength(200, 'Must be the code of a link')),
  }),
  { description: 'What a link to the page of a desk has in its fragment.', example: { code: 'ds_…' } },
);

/** States of a desk session. */
export const DESK_SESSION_STATUSES = ['active', 'ended'] as const;

const DESK_SESSION_EXAMPLE = {
  object: 'desk_session',
  id: ID,
  property: 'aurora',
  status: 'active',
  ...GRANT,
  page: false,
  by: AUTHOR_EXAMPLE,
  createdAt: '2026-09-03T08:00:00.000Z',
  expiresAt: '2026-09-03T09:00:00.000Z',
  revokedAt: null,
} as const;

/** A desk session as the hotel's server sees it. */
export const DeskSessionSchema = component(
  'DeskSession',
  v.object({
    /** Kind of resource. */
    object: v.literal('desk_session'),
    /** `ds_…`; no secret. */
    id: idOf('ds'),
    /** Id of the hotel at the proxy. */
    property: v.string(),
    /** `ended`: it has expired or was revoked, or its key has ended. */
    status: v.picklist(DESK_SESSION_STATUSES),
    /** Who it is for. */
    person: DeskPersonSchema,
    /** Origin of the page that uses it. */
    origin: v.string(),
    /** Whether that is the proxy's own page. */
    page: v.boolean(),
    /** What it was allowed to do. What its key may no longer do, it cannot do either. */
    features: v.array(DeskFeatureSchema),
    /** How much the person may refund in a day of the hotel, by currency, in minor units; null: as much as the key may. */
    maxReversal: v.nullable(AmountLimitsSchema),
    /** Who made it. */
    by: AuthorSchema,
    /** When it was made, RFC 3339 UTC. */
    createdAt: TimestampSchema,
    /** Until when it can be used, RFC 3339 UTC. For the proxy's own page: when it ends if nobody uses it any more. */
    expiresAt: TimestampSchema,
    /** When it was revoked; null: it was not. */
    revokedAt: v.nullable(TimestampSchema),
  }),
  { description: 'What one person may do, and from which page, without its secret.', example: DESK_SESSION_EXAMPLE },
);

/** A desk session, without its secret. @interface */
export type DeskSession = v.InferOutput<typeof DeskSessionSchema>;

/** Answer of `GET /v1/desk-sessions`. */
export const DeskSessionListSchema = component('DeskSessionList', pageOf(DeskSessionSchema), {
  description: 'A page of desk sessions, the newest first.',
  example: { object: 'list', data: [DESK_SESSION_EXAMPLE], nextCursor: null },
});

/** Query of `GET /v1/desk-sessions`. */
export const ListDeskSessionsSchema = v.strictObject({
  limit: LimitSchema,
  /** `nextCursor` of the page before. */
  cursor: v.optional(idOf('ds', 'Not a cursor of this list')),
});

/** Place of a list of desk sessions. */
export interface ListDeskSessions {
  /** 1 to 100. @default 20 */
  limit?: number | undefined;
  /** `nextCursor` of the page before. */
  cursor?: string | undefined;
}

/** Answer of `GET /v1/desk`, which every desk session can call. */
export const DeskSchema = component(
  'Desk',
  v.object({
    /** Kind of resource. */
    object: v.literal('desk'),
    /** The hotel. */
    property: v.object({
      /** Its id at the proxy. */
      id: v.string(),
      /** Its name. */
      name: v.string(),
      /** Whether real money moves. */
      livemode: v.boolean(),
      /** IANA name of its time zone. */
      timeZone: v.string(),
      /** When its day begins, in its time zone: `HH:MM`. */
      dayStartsAt: v.pipe(v.string(), v.regex(/^\d\d:\d\d$/)),
      /** Largest amount by currency, in minor units; other currencies are refused. Null: any amount of any currency. */
      maxAmount: v.nullable(AmountLimitsSchema),
    }),
    /** Who is at the desk. */
    person: DeskPersonSchema,
    /** What can be done now: no more than the key may. */
    features: v.array(DeskFeatureSchema),
    /** How much the person may refund in a day of the hotel, by currency, in minor units; null: as much as the key may. */
    maxReversal: v.nullable(AmountLimitsSchema),
    /** Until when the session can be used, RFC 3339 UTC. */
    expiresAt: TimestampSchema,
  }),
  {
    description: 'Who is at the desk of which hotel, and what they may do.',
    example: {
      object: 'desk',
      property: {
        id: 'aurora',
        name: 'Hotel Aurora',
        livemode: true,
        timeZone: 'Europe/Vienna',
        dayStartsAt: '00:00',
        maxAmount: null,
      },
      person: GRANT.person,
      features: GRANT.features,
      maxReversal: GRANT.maxReversal,
      expiresAt: '2026-09-03T09:00:00.000Z',
    },
  },
);

/** Who is at the desk of which hotel, and what they may do. @interface */
export type Desk = v.InferOutput<typeof DeskSchema>;

/** An event as a desk sees it: that something changed, and what to read again. */
export const DeskEventSchema = component(
  'DeskEvent',
  v.object({
    /** `ev_…`. */
    id: idOf('ev'),
    /** What happened. */
    type: openPicklist(WEBHOOK_EVENT_TYPES),
    /** When it happened, RFC 3339 UTC. */
    createdAt: TimestampSchema,
    /** Place in the hotel's feed: 1, 2, 3 … */
    position: SeqSchema,
    /** Id of the session, charge or reversal that changed; null when it is none of them. */
    resource: v.nullable(v.string()),
  }),
  {
    description: 'That something changed, and what to read again.',
    example: {
      id: 'ev_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
      type: 'charge.succeeded',
      createdAt: '2026-09-02T08:00:01.000Z',
      position: 42,
      resource: 'ch_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
    },
  },
);

/** An event as a desk sees it. @interface */
export type DeskEvent = v.InferOutput<typeof DeskEventSchema>;

/** Answer of `GET /v1/events` to a desk session. */
export const DeskEventListSchema = component('DeskEventList', feedOf(DeskEventSchema), {
  description: 'A stretch of the feed, as a desk sees it.',
});
