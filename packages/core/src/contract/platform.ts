/** An operator of many hotels, as its `PLATFORM_<ID>` secret describes it. */
import * as v from 'valibot';
import { isLoopbackHost } from '../values/web-address.ts';
import { component, type WithShared } from './component.ts';
import { KEY_FIELDS, type KeyFields, LastUsedAtSchema, PLATFORM_SCOPES } from './key.ts';
import { NameSchema, StoredNameSchema, WebhookSchema } from './property.ts';
import { type PropertyIssues, toIssues } from './property-check.ts';

/** An id of a property: 1 to 40 lower-case letters, digits and underscores. */
export const PropertyIdSchema = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9_]{1,40}$/, 'must be 1 to 40 of a-z 0-9 _'),
  v.description('Id of the property: 1 to 40 lower-case letters, digits and underscores.'),
  v.examples(['aurora']),
);

/** Which hotels are meant: an id, the beginning of ids followed by `*`, or only `*` for all. */
const PropertyPatternSchema = v.pipe(
  v.string(),
  v.regex(/^(?:[a-z0-9_]{1,40}|[a-z0-9_]{0,39}\*)$/, 'must be an id, the beginning of ids and *, or * alone'),
);

/** A platform key as the configuration holds it: only its hash. */
const PlatformKeySchema = v.strictObject({
  ...KEY_FIELDS,
  /** What the key may do: at least one scope. Each operation says which it needs. @example ["checkout", "properties"] */
  scopes: v.pipe(v.array(v.picklist(PLATFORM_SCOPES)), v.minLength(1, 'must name at least one scope')),
  /** For which hotels: ids, beginnings of ids such as `alpine_*`, or `*` for all. @example ["alpine_*"] */
  properties: v.pipe(v.array(PropertyPatternSchema), v.minLength(1, 'must name at least one hotel, or *')),
});

/** A platform key as the configuration holds it: only its hash. @interface */
export type PlatformKey = WithShared<v.InferOutput<typeof PlatformKeySchema>, KeyFields>;

/** Answer of `GET /v1/platform/keys`. */
export const PlatformKeyListSchema = component(
  'PlatformKeyList',
  v.object({
    /** Kind of answer. */
    object: v.literal('list'),
    /** Every key, as it is configured. */
    data: v.array(
      v.object({
        ...PlatformKeySchema.entries,
        /** Start of the hour in which it was last used, RFC 3339 UTC; null: not yet. */
        lastUsedAt: LastUsedAtSchema,
      }),
    ),
  }),
  {
    description: 'The keys of a platform.',
    example: {
      object: 'list',
      data: [{ id: 'deploy', sha256: '0'.repeat(64), scopes: ['properties'], properties: ['*'], lastUsedAt: null }],
    },
  },
);

/** The keys of a platform. @interface */
export type PlatformKeyList = v.InferOutput<typeof PlatformKeyListSchema>;

/** A webhook endpoint of a platform: the same rules as for one of a hotel. */
const PlatformWebhookSchema = v.strictObject({
  ...WebhookSchema.entries,
  /**
   * Whose events are sent there, of the hotels that the platform's keys are for: ids, beginnings of ids, or `*` for all of them.
   * @example ["*"]
   */
  properties: v.optional(v.pipe(v.array(PropertyPatternSchema), v.minLength(1, 'must name at least one hotel, or *')), [
    '*',
  ]),
});

/** Where events of a platform's hotels are sent. @interface */
export type PlatformWebhook = WithShared<
  v.InferOutput<typeof PlatformWebhookSchema>,
  v.InferOutput<typeof WebhookSchema>
>;

const FieldsSchema = v.strictObject({
  /** Name of the operator. @example "Alpine Booking" */
  displayName: NameSchema,
  /** Whether its hotels may move real money. False refuses every configuration with `livemode`. @example false */
  livemode: v.optional(v.boolean(), false),
  /** Keys of the operator's servers; only their hashes. */
  keys: v.pipe(v.array(PlatformKeySchema), v.minLength(1, 'must hold at least one key')),
  /** Where events of all its hotels are sent, besides each hotel's own webhooks. */
  webhooks: v.optional(v.array(PlatformWebhookSchema), []),
});

const notHereInLivemode = v.forward(
  v.check<PlatformFields, string>(
    ({ livemode, webhooks }) => !livemode || !webhooks.some(({ url }) => isLoopbackHost(new URL(url).hostname)),
    'must not point to this machine in livemode',
  ),
  ['webhooks'],
);

/** The JSON of one platform. */
export const PlatformSchema = v.pipe(FieldsSchema, notHereInLivemode);

/** The same as it may be stored. */
const StoredPlatformSchema = v.pipe(
  v.strictObject({ ...FieldsSchema.entries, displayName: StoredNameSchema }),
  notHereInLivemode,
);

/** What a platform's JSON becomes, defaults filled in. @interface */
export type PlatformFields = v.InferOutput<typeof FieldsSchema>;

/** A platform's JSON as it is written. @interface */
export type PlatformInput = v.InferInput<typeof FieldsSchema>;

/**
 * Checks a platform's fields.
 *
 * @param json - the parsed JSON
 * @param isWritten - whether it is being written, and not read as it may be stored
 * @returns the fields with defaults filled in, or everything that is wrong
 */
export function parsePlatformFields(
  json: unknown,
  isWritten = false,
): { readonly fields: PlatformFields } | { readonly issues: PropertyIssues } {
  const parsed = v.safeParse(isWritten ? PlatformSchema : StoredPlatformSchema, json, { abortPipeEarly: true });
  return parsed.success ? { fields: parsed.output } : { issues: toIssues(parsed.issues) };
}
