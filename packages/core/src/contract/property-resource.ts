/** A property as its operator sees it in the directory. Secrets go in and never come out. */
import * as v from 'valibot';
import { AuthorSchema } from './author.ts';
import { component, type WithShared } from './component.ts';
import { CountSchema, SeqSchema, TimestampSchema } from './fields.ts';
import { LastUsedAtSchema, type MerchantKey, MerchantKeySchema } from './key.ts';
import { LimitSchema, type Page, pageOf } from './list.ts';
import { PropertyIdSchema } from './platform.ts';
import { type PropertyFields, type PropertyInput, PropertySchema } from './property.ts';

/** Where a property's configuration is kept. */
export const PROPERTY_SOURCES = ['directory', 'secret'] as const;

/** States of a property. */
export const PROPERTY_STATUSES = ['active', 'removed', 'unusable'] as const;

/** What can be done to a property's configuration. */
export const PROPERTY_ACTIONS = ['created', 'replaced', 'changed', 'removed', 'rolled_back'] as const;

const {
  password: _password,
  previousPassword: _previous,
  webhooks: _webhooks,
  gateway: _gateway,
  ...SHOWN
} = PropertySchema.entries;

/** The settings of a property without its secrets. */
const ShownSettingsSchema = v.object({
  ...SHOWN,
  /** Keys of the hotel's servers; only their hashes. */
  merchantKeys: v.array(
    v.object({
      ...MerchantKeySchema.entries,
      /** Start of the hour in which it was last used, RFC 3339 UTC; null: not yet. */
      lastUsedAt: LastUsedAtSchema,
    }),
  ),
  /** Where events are sent: only hosts, since addresses may hold secrets. */
  webhooks: v.array(
    v.object({
      /** Host of its address. */
      host: v.string(),
    }),
  ),
  /** Access to the property-management gateway, without its key; null when there is none. */
  gateway: v.nullable(
    v.object({
      /** Where the key goes: a header, the query, or HTTP basic authentication. */
      apiKeyIn: v.string(),
      /** `protocol/method` pairs that may be called. */
      allow: v.array(v.string()),
    }),
  ),
});

const SUMMARY = {
  /** Kind of resource. */
  object: v.literal('property'),
  /** Id of the property: 1 to 40 lower-case letters, digits and underscores. */
  id: PropertyIdSchema,
  /** Name of the hotel; null while its configuration cannot be read. */
  displayName: v.nullable(v.string()),
  /** Whether real money moves; null while its configuration cannot be read. */
  livemode: v.nullable(v.boolean()),
  /** `removed`: payments reach their end, and nothing new begins. `unusable`: `problem` says why. */
  status: v.picklist(PROPERTY_STATUSES),
  /** `secret`: a `PROPERTY_<ID>` secret of the deployment, which comes first and cannot be changed here. */
  source: v.picklist(PROPERTY_SOURCES),
  /** Version of the configuration, for `If-Match`; null for a secret. */
  version: v.nullable(SeqSchema),
  /** When this version was written; null for a secret. */
  updatedAt: v.nullable(TimestampSchema),
} as const;

const OPERATOR = { key: 'alpine/deploy', person: 'emp-42', via: 'header' as const };

const SUMMARY_EXAMPLE = {
  object: 'property',
  id: 'aurora',
  displayName: 'Hotel Aurora',
  livemode: false,
  status: 'active',
  source: 'directory',
  version: 3,
  updatedAt: '2026-09-02T08:00:01.000Z',
} as const;

const KEY_EXAMPLE: MerchantKey = {
  id: 'web',
  sha256: '0'.repeat(64),
  scopes: ['checkout', 'events'],
  createdAt: '2026-09-01T08:00:00.000Z',
};

const SETTINGS_EXAMPLE = {
  displayName: 'Hotel Aurora',
  livemode: false,
  baseUrl: 'https://pay.vendor.example/api',
  customerId: '1234',
  username: 'demo',
  hotelID: '1',
  hotelIDType: 'SANDBOX_PMS',
  user: 'web',
  timeZone: 'Europe/Vienna',
  amountUnit: 'minor' as const,
  providerDirect: 'SANDBOX_DIRECT',
  providerHosted: 'SANDBOX_HOSTED',
  origins: ['https://hotel.example'],
};

/** A configuration as it is put. */
export const PROPERTY_EXAMPLE: PropertyInput = {
  ...SETTINGS_EXAMPLE,
  password: 'the password',
  merchantKeys: [KEY_EXAMPLE],
};

/** A property in a list. */
export const PropertySummarySchema = component('PropertySummary', v.object(SUMMARY), {
  description: 'A property in a list.',
});

/** A property in a list. @interface */
export type PropertySummary = v.InferOutput<typeof PropertySummarySchema>;

/** A property as its operator sees it. */
export const PropertyResourceSchema = component(
  'PropertyResource',
  v.object({
    ...SUMMARY,
    /** When it was created; null for a secret. */
    createdAt: v.nullable(TimestampSchema),
    /** Who wrote this version; null for a secret. */
    updatedBy: v.nullable(AuthorSchema),
    /** Its settings without secrets; null while they cannot be read. */
    settings: v.nullable(ShownSettingsSchema),
    /** Paths of the secrets that are set, such as `password`. Their values are never shown. */
    secrets: v.array(v.string()),
    /** What keeps it from being served; null when nothing does. */
    problem: v.nullable(
      v.object({
        /** Dotted path of the field to blame. */
        field: v.string(),
        /** What is wrong with it, and what to do. */
        message: v.string(),
      }),
    ),
  }),
  {
    description: 'The configuration of a hotel. Secrets can be written but never read.',
    example: {
      ...SUMMARY_EXAMPLE,
      createdAt: '2026-09-01T08:00:00.000Z',
      updatedBy: OPERATOR,
      settings: {
        ...SETTINGS_EXAMPLE,
        dayStartsAt: '04:00',
        uncertainReturnCodes: ['68', '91', '96'],
        refusalStatuses: [],
        expiresInUnit: 'seconds',
        allowedOrigins: [],
        viewOrigins: [],
        localOrigins: false,
        deskOrigins: [],
        acceptedBrands: [],
        merchantKeys: [{ ...KEY_EXAMPLE, lastUsedAt: '2026-09-02T08:00:00.000Z' }],
        surcharge: false,
        maxSurchargePercent: 10,
        fourEyes: false,
        retentionDays: 400,
        keepCardsDays: 30,
        moto: false,
        webhooks: [{ host: 'hotel.example' }],
        gateway: null,
      },
      secrets: ['password', 'webhooks.0.secret'],
      problem: null,
    },
  },
);

/** The settings of a property without its secrets. @interface */
export type PropertySettings = WithShared<
  v.InferOutput<typeof ShownSettingsSchema>,
  Omit<PropertyFields, 'password' | 'previousPassword' | 'merchantKeys' | 'webhooks' | 'gateway'> & {
    /** Keys of the hotel's servers; only their hashes. */
    merchantKeys: (MerchantKey & {
      /** Start of the hour in which it was last used, RFC 3339 UTC; null: not yet. */
      lastUsedAt: string | null;
    })[];
  }
>;

/** A property as its operator sees it. @interface */
export type PropertyResource = Omit<v.InferOutput<typeof PropertyResourceSchema>, 'settings'> & {
  /** Its settings without secrets; null while they cannot be read. */
  settings: PropertySettings | null;
};

/** Answer of `GET /v1/properties`. */
export const PropertyListSchema = component(
  'PropertyList',
  v.object({
    ...pageOf(PropertySummarySchema).entries,
    /** Whether the key is for every hotel of the deployment. If it is not, there may be hotels that no page shows. */
    coversAll: v.boolean(),
  }),
  {
    description: 'A page of properties, by id.',
    example: { object: 'list', data: [SUMMARY_EXAMPLE], nextCursor: null, coversAll: true },
  },
);

/** A page of properties, by id. @interface */
export type PropertyList = WithShared<v.InferOutput<typeof PropertyListSchema>, Page<PropertySummary>>;

const VERSION_EXAMPLE = {
  object: 'property_version' as const,
  version: 3,
  at: '2026-09-02T08:00:01.000Z',
  by: OPERATOR,
  action: 'changed' as const,
  fields: ['origins', 'password'],
  copyOf: null,
  isKept: true,
};

/** One version of a property's configuration. */
export const PropertyVersionSchema = component(
  'PropertyVersion',
  v.object({
    /** Kind of resource. */
    object: v.literal('property_version'),
    /** Number of the version: 1, 2, 3 … */
    version: SeqSchema,
    /** When it was written. */
    at: TimestampSchema,
    /** Who wrote it. */
    by: AuthorSchema,
    /** What was done to the configuration. */
    action: v.picklist(PROPERTY_ACTIONS),
    /** Paths of the fields that differ from the version before, secrets included. */
    fields: v.array(v.string()),
    /** Which version this one is a copy of, after a roll back; null otherwise. */
    copyOf: v.nullable(SeqSchema),
    /** Whether it is kept, so that it can be rolled back to. The last 50 are kept while the property is. */
    isKept: v.boolean(),
  }),
  { description: 'What was changed in the configuration of a hotel, when, and by whom.' },
);

/** One version of a property's configuration. @interface */
export type PropertyVersion = v.InferOutput<typeof PropertyVersionSchema>;

/** Answer of `GET /v1/properties/{id}/versions`. */
export const PropertyVersionListSchema = component('PropertyVersionList', pageOf(PropertyVersionSchema), {
  description: 'A page of versions, the newest first.',
  example: { object: 'list', data: [VERSION_EXAMPLE], nextCursor: null },
});

/** Body of `POST /v1/properties/{id}/roll-back`. */
export const RollBackSchema = v.strictObject({
  /** The version to go back to. It becomes a new one. */
  version: v.pipe(
    v.number('Must be the number of a version'),
    v.safeInteger('Must be the number of a version'),
    v.minValue(1, 'Must be the number of a version'),
  ),
});

/** Body of `POST /v1/properties/{id}/reseal`. */
export const ResealPropertySchema = v.strictObject({
  /** Where to continue: `nextCursor` of the answer before. */
  cursor: v.exactOptional(v.string()),
});

/** Answer of `POST /v1/properties/{id}/reseal`. */
export const ResealedPropertySchema = component(
  'ResealedProperty',
  v.object({
    /** Kind of answer. */
    object: v.literal('resealed_property'),
    /** Id of the property. */
    id: PropertyIdSchema,
    /** How many versions of its configuration an older key had sealed. */
    resealed: CountSchema,
    /** How many tokens of stored cards an older key had sealed. */
    cards: CountSchema,
    /** Fingerprint of all `SEALING_KEYS` that the proxy runs with. */
    sealingKeys: v.exactOptional(v.string()),
    /** Where to go on, when there are more cards; null at the end. */
    nextCursor: v.nullable(v.string()),
  }),
  {
    description: 'What was sealed again with the newest of `SEALING_KEYS`.',
    example: { object: 'resealed_property', id: 'aurora', resealed: 3, cards: 12, nextCursor: null },
  },
);

/** What was sealed again with the newest of `SEALING_KEYS`. @interface */
export type ResealedProperty = v.InferOutput<typeof ResealedPropertySchema>;

/** The fields of an object to change, and of the objects within it; a list is replaced as a whole. */
type MergePatch<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { [Name in keyof Value]?: MergePatch<Value[Name]> | null }
    : Value;

/** Fields of a configuration to change, at any depth; null removes one. What is absent stays. */
export type PropertyPatch = MergePatch<PropertyInput>;

/** Body of `PATCH /v1/properties/{id}`: a JSON merge patch. The result is checked as a whole. */
export const PropertyPatchSchema = mergePatchOf(PropertySchema) as v.GenericSchema<PropertyPatch>;

function mergePatchOf(schema: MaybeNested): v.GenericSchema {
  const { wrapped, entries, value } = schema;
  if (wrapped) return mergePatchOf(wrapped);
  if (value) return v.record(v.string(), v.nullable(value));
  if (!entries) return schema;
  return v.strictObject(
    Object.fromEntries(Object.entries(entries).map(([name, each]) => [name, v.nullish(mergePatchOf(each))])),
  );
}

/** What is read of a schema: what an optional one wraps, the fields of an object, the values of a map. */
interface MaybeNested extends v.GenericSchema {
  readonly wrapped?: MaybeNested;
  readonly entries?: Readonly<Record<string, MaybeNested>>;
  readonly value?: v.GenericSchema;
}

const CursorSchema = v.optional(
  v.pipe(v.string(), v.maxLength(200), v.description('`nextCursor` of the page before.')),
);

/** Query of `GET /v1/properties`. */
export const ListPropertiesSchema = v.strictObject({
  /** Only those whose id or name holds this text, in any case. */
  search: v.optional(v.pipe(v.string(), v.maxLength(80))),
  /** Only those in this state. */
  status: v.optional(v.picklist(['active', 'removed'])),
  limit: LimitSchema,
  cursor: CursorSchema,
});

/** Query of `GET /v1/properties/{id}/versions`. */
export const ListPropertyVersionsSchema = v.strictObject({ limit: LimitSchema, cursor: CursorSchema });
