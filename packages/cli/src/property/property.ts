import { isLoopbackHttp } from '@innkeep/core/hosted';
import { currencyExponent, isTimeZone } from '@innkeep/core/values';
import * as v from 'valibot';

/** What a merchant key may be allowed to do. */
export const SCOPES = ['checkout', 'charges', 'gateway', 'moto', 'events'] as const;

/** One of {@link SCOPES}. */
export type Scope = (typeof SCOPES)[number];

/** A hotel's configuration: the JSON of its `PROPERTY_<ID>` secret. What is absent has the proxy's default. */
export interface Property {
  displayName: string;
  livemode?: boolean | undefined;
  baseUrl: string;
  customerId: string;
  username: string;
  password: string;
  hotelID: string;
  hotelIDType: string;
  user: string;
  /** IANA name. */
  timeZone: string;
  amountUnit: 'minor' | 'major';
  /** Values of `returnCode` that leave the outcome open. */
  uncertainReturnCodes?: string[] | undefined;
  expiresInUnit?: 'seconds' | 'minutes' | undefined;
  providerDirect: string;
  providerHosted: string;
  allowedOrigins?: string[] | undefined;
  viewOrigins?: string[] | undefined;
  /** Of the hotel's own pages. */
  origins: string[];
  /** `sha256` is hexadecimal, of the whole `sk_…` text. */
  merchantKeys: { id: string; sha256: string; scopes: Scope[] }[];
  webhooks?: { url: string; secret: string | string[] }[] | undefined;
  gateway?:
    | {
        apiKey: string;
        apiKeyIn?: 'header' | 'query' | 'basic' | undefined;
        productId?: { value: string; in: 'header' | 'query'; name: string } | undefined;
        /** `protocol/method` pairs. */
        allow: string[];
      }
    | undefined;
  /** Minor units by currency. */
  maxAmount?: Record<string, number> | undefined;
  surcharge?: boolean | undefined;
  /** Largest surcharge to believe, in percent. */
  maxSurchargePercent?: number | undefined;
  moto?: boolean | undefined;
  previousPassword?: string | undefined;
}

const MAX_PROPERTY_BYTES = 5 * 1024;

const Text = v.pipe(v.string(), v.minLength(1, 'must not be empty'));

const Origin = v.pipe(
  v.string(),
  v.check((text) => httpUrl(text)?.origin === text, 'must be an origin such as https://hotel.example, without a path'),
);

const BaseUrl = v.pipe(
  v.string(),
  v.check((text) => {
    const url = httpUrl(text);
    return url !== undefined && isSecure(url) && url.search === '' && url.hash === '';
  }, 'must be an https address without query (http only for this machine)'),
);

const WebhookUrl = v.pipe(
  v.string(),
  v.check((text) => {
    const url = httpUrl(text);
    if (url === undefined || url.hash !== '') return false;
    return isLoopbackName(url) || (url.protocol === 'https:' && /\.[a-z]/i.test(url.hostname));
  }, 'must be an https address with a host name (loopback only while livemode is false)'),
);

const WebhookSecret = v.pipe(
  v.string(),
  v.regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'must be whsec_ and the base64 of at least 24 bytes'),
);

const ReturnCode = v.pipe(
  v.string(),
  v.regex(/^[\x21-\x7e]{1,16}$/, 'must be 1 to 16 visible ASCII characters'),
  v.check((code) => !/^0+$/.test(code), 'must not be 0, which is success'),
);

const MerchantKeySchema = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9._-]{1,40}$/, 'must be 1 to 40 of A-Z a-z 0-9 . _ -')),
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-fA-F]{64}$/, 'must be the 64 hexadecimal characters of a SHA-256')),
  scopes: v.pipe(v.array(v.picklist(SCOPES)), v.minLength(1, 'must name at least one scope')),
});

const GatewaySchema = v.strictObject({
  apiKey: v.pipe(v.string(), v.length(40, 'must have 40 characters')),
  apiKeyIn: v.optional(v.picklist(['header', 'query', 'basic'])),
  productId: v.optional(v.strictObject({ value: Text, in: v.picklist(['header', 'query']), name: Text })),
  allow: v.array(v.pipe(v.string(), v.regex(/^[A-Za-z0-9._-]+\/[A-Za-z0-9._-]+$/, 'must be protocol/method'))),
});

/** Fields of a property, as the proxy reads them; the tests hold the two against each other. */
const PropertySchema: v.GenericSchema<unknown, Property> = v.strictObject({
  displayName: v.pipe(
    v.string(),
    v.minLength(1, 'must not be empty'),
    v.maxLength(80, 'must be at most 80 characters'),
  ),
  livemode: v.optional(v.boolean()),
  baseUrl: BaseUrl,
  customerId: Text,
  username: Text,
  password: Text,
  hotelID: Text,
  hotelIDType: Text,
  user: Text,
  timeZone: v.pipe(v.string(), v.check(isTimeZone, 'must be an IANA time zone such as Europe/Vienna')),
  amountUnit: v.picklist(['minor', 'major']),
  uncertainReturnCodes: v.optional(v.array(ReturnCode)),
  expiresInUnit: v.optional(v.picklist(['seconds', 'minutes'])),
  providerDirect: Text,
  providerHosted: Text,
  allowedOrigins: v.optional(v.array(Origin)),
  viewOrigins: v.optional(v.array(Origin)),
  origins: v.array(Origin),
  merchantKeys: v.pipe(v.array(MerchantKeySchema), v.minLength(1, 'must hold at least one key')),
  webhooks: v.optional(
    v.array(
      v.strictObject({
        url: WebhookUrl,
        secret: v.union([WebhookSecret, v.pipe(v.array(WebhookSecret), v.minLength(1), v.maxLength(3))]),
      }),
    ),
  ),
  gateway: v.optional(GatewaySchema),
  maxAmount: v.optional(
    v.record(
      v.pipe(
        v.string(),
        v.check((code) => currencyExponent(code) !== undefined, 'must be an ISO 4217 code'),
      ),
      v.pipe(v.number(), v.safeInteger('must be an integer of minor units'), v.minValue(1, 'must be at least 1')),
    ),
  ),
  surcharge: v.optional(v.boolean()),
  maxSurchargePercent: v.optional(
    v.pipe(v.number(), v.minValue(0, 'must be 0 to 100'), v.maxValue(100, 'must be 0 to 100')),
  ),
  moto: v.optional(v.boolean()),
  previousPassword: v.optional(Text),
});

/** A bad field of a property, in words that never quote its value: it may be a password. */
export interface Complaint {
  /** Dotted path; empty when the whole is meant. */
  readonly field: string;
  readonly message: string;
}

/** Checks a property's fields: the property, or all that is wrong with it. */
export function parseProperty(
  json: unknown,
): { readonly property: Property } | { readonly complaints: readonly Complaint[] } {
  const parsed = v.safeParse(PropertySchema, json, { abortPipeEarly: true });
  if (!parsed.success) return { complaints: parsed.issues.map(toComplaint) };
  const conflict = findConflict(parsed.output);
  if (conflict !== undefined) return { complaints: [conflict] };
  if (Buffer.byteLength(JSON.stringify(json)) > MAX_PROPERTY_BYTES) {
    return { complaints: [{ field: '', message: 'must be at most 5 KB of JSON' }] };
  }
  return { property: parsed.output };
}

/** `aurora` for `Aurora`. Undefined for text that cannot name a property. */
export function parsePropertyId(text: string): string | undefined {
  const id = text.toLowerCase().replaceAll('-', '_');
  return /^[a-z0-9_]{1,40}$/.test(id) ? id : undefined;
}

/** Name of the secret that holds a property. */
export function secretNameOf(id: string): string {
  return `PROPERTY_${id.toUpperCase()}`;
}

/** One line for a person. */
export function describeComplaint({ field, message }: Complaint): string {
  return field === '' ? `It ${message}` : `${field} ${message}`;
}

function toComplaint(issue: v.BaseIssue<unknown>): Complaint {
  const field = v.getDotPath(issue) ?? '';
  if (issue.expected === 'never') return { field, message: 'is not a known field' };
  if (issue.received === 'undefined') return { field, message: 'is missing' };
  const isOurs = !issue.message.startsWith('Invalid ');
  return { field, message: isOurs ? issue.message : `must be ${issue.expected ?? 'valid'}` };
}

/** Plain http is for this machine only, and only where its consequences stay there too. */
function findConflict({ livemode = false, baseUrl, origins, ...lists }: Property): Complaint | undefined {
  const { allowedOrigins = [], viewOrigins = [], webhooks = [] } = lists;
  const isBad = (origin: string, mayUseHttp: boolean): boolean =>
    !origin.startsWith('https:') && !(mayUseHttp && isSecure(new URL(origin)));
  for (const [field, values] of Object.entries({ allowedOrigins, viewOrigins })) {
    const at = values.findIndex((origin) => isBad(origin, baseUrl.startsWith('http:')));
    const message = 'must be https (loopback http only if baseUrl itself is loopback http)';
    if (at >= 0) return { field: `${field}.${at}`, message };
  }
  const at = origins.findIndex((origin) => isBad(origin, !livemode));
  if (at >= 0) return { field: `origins.${at}`, message: 'must be https (loopback http only while livemode is false)' };
  const hook = webhooks.findIndex(({ url }) => livemode && isLoopbackName(new URL(url)));
  if (hook < 0) return undefined;
  return { field: `webhooks.${hook}.url`, message: 'must not point to this machine in livemode' };
}

function httpUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isHttp = url.protocol === 'https:' || url.protocol === 'http:';
  return isHttp && url.username === '' && url.password === '' ? url : undefined;
}

function isSecure(url: URL): boolean {
  return url.protocol === 'https:' || isLoopbackHttp(url);
}

function isLoopbackName(url: URL): boolean {
  return isLoopbackHttp(new URL(`http://${url.host}`));
}
