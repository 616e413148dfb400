/**
 * One hotel's configuration: the JSON in a `PROPERTY_<ID>` secret. Strict, so that a typing mistake is an error with a
 * name and not a setting that silently does nothing.
 *
 * `PROPERTY_AURORA` makes the property `aurora`: the id is 1 to 40 of A-Z, 0-9 and underscore. The JSON may have 5 KB.
 */
import { currencyExponent } from '@innkeep/core/values';
import * as v from 'valibot';
import { isAddressLiteral, isLoopbackHost, isOrigin, isSecureUrl, parseHttpUrl } from '../policy/origins.ts';

/** What a merchant key may be allowed to do. */
export const SCOPES = [
  /** Checkout sessions and payment links. */
  'checkout',
  /** Charges of stored cards, and reversals of any payment. */
  'charges',
  /** Messages to the property-management gateway, as far as `gateway.allow` lets them through. */
  'gateway',
  /** Keying in cards, in the MOTO build and for a property with `moto`. */
  'moto',
  /** The event feed, redelivery and the export. */
  'events',
] as const;

/** One of {@link SCOPES}. */
export type Scope = (typeof SCOPES)[number];

/** A merchant key as the configuration holds it: only its hash. */
export interface MerchantKey {
  /**
   * Name of the key in logs: 1 to 40 letters, digits, dots, underscores, hyphens.
   * @example "web"
   */
  id: string;
  /**
   * Lower-case hexadecimal SHA-256 of the whole `sk_…` text. `innkeep hotel add` makes both.
   * @example "0000000000000000000000000000000000000000000000000000000000000000"
   */
  sha256: string;
  /**
   * What the key may do; at least one of the scopes below.
   * @example ["checkout", "charges", "gateway", "events"]
   */
  scopes: Scope[];
}

/** The gateway's settings. */
export interface GatewaySettings {
  /**
   * Key of the gateway, 40 characters.
   * @example "0123456789012345678901234567890123456789"
   */
  apiKey: string;
  /**
   * Where the key goes: a header, the query, or HTTP basic authentication.
   * @example "header"
   */
  apiKeyIn: 'header' | 'query' | 'basic';
  /** The product id, where the vendor wants one with every request. */
  productId?:
    | {
        /** The id itself, visible ASCII. */
        value: string;
        /** Whether it is sent as a header or in the query. */
        in: 'header' | 'query';
        /** Name of that header or parameter. */
        name: string;
      }
    | undefined;
  /**
   * `protocol/method` pairs that may be called. Everything else is answered with 403.
   * @example ["RMS/keepalivereq", "RMS/roomreq"]
   */
  allow: string[];
}

/** Where events are sent. */
export interface WebhookSettings {
  /**
   * https address with a host name, no address literal; loopback http only while `livemode` is false.
   * @example "http://127.0.0.1:4000/hooks"
   */
  url: string;
  /**
   * `whsec_` and the Base64 of at least 24 bytes; a list of up to three while it is being rotated.
   * @example "whsec_cmVwbGFjZS10aGlzLWV4YW1wbGUtc2VjcmV0IQ=="
   */
  secret: string | string[];
}

/** What a property's JSON becomes, defaults filled in. */
export interface PropertyFields {
  /**
   * Name of the hotel that guests read.
   * @example "Hotel Aurora"
   */
  displayName: string;
  /**
   * Whether real money moves. False marks every page and element as a test, and lets origins and webhooks be on this machine.
   * @example false
   */
  livemode: boolean;
  /**
   * Address of the payment service: https, without query; http only for this machine.
   * @example "http://127.0.0.1:8790"
   */
  baseUrl: string;
  /**
   * The payment service's id of the customer, part of its addresses.
   * @example "1234"
   */
  customerId: string;
  /**
   * User at the payment service.
   * @example "demo"
   */
  username: string;
  /**
   * Password at the payment service. What the proxy stores is sealed with a key made of it.
   * @example "demo-password"
   */
  password: string;
  /**
   * Id of the hotel in its property-management system.
   * @example "1"
   */
  hotelID: string;
  /**
   * Kind of property-management system, as the vendor names it.
   * @example "SANDBOX_PMS"
   */
  hotelIDType: string;
  /**
   * Operator name that the payment service records.
   * @example "web"
   */
  user: string;
  /**
   * IANA name of the hotel's time zone.
   * @example "Europe/Vienna"
   */
  timeZone: string;
  /**
   * What the payment service's amounts count: `minor` if 12000 means 120.00, `major` if 120 does. There is no default: ask the
   * vendor, because the wrong answer charges 100 times too much or too little.
   * @example "minor"
   */
  amountUnit: 'minor' | 'major';
  /**
   * Values of `returnCode` that leave open whether a charge or a reversal was executed: it is then `unknown`, not `declined`.
   * 1 to 16 visible ASCII characters each; leading zeros do not count. Ask the vendor for the list.
   * @example ["68", "91", "96"]
   */
  uncertainReturnCodes: string[];
  /**
   * Unit of the login's `expires_in`.
   * @example "seconds"
   */
  expiresInUnit: 'seconds' | 'minutes';
  /**
   * `serviceProvider` for keyed and stored cards, as the vendor named it.
   * @example "SANDBOX_DIRECT"
   */
  providerDirect: string;
  /**
   * `serviceProvider` for hosted pages, as the vendor named it.
   * @example "SANDBOX_HOSTED"
   */
  providerHosted: string;
  /**
   * Further origins, besides that of `baseUrl`, that status addresses may have. The access token goes there.
   * @example []
   */
  allowedOrigins: string[];
  /**
   * Further origins that hosted pages may have. Only guests go there.
   * @example []
   */
  viewOrigins: string[];
  /**
   * Origins of the hotel's own pages: where elements may run and where guests may return to.
   * @example ["http://127.0.0.1:4000"]
   */
  origins: string[];
  /** Keys of the hotel's servers, at least one; only their hashes. */
  merchantKeys: MerchantKey[];
  /** Where events are sent; each address has a secret of its own. */
  webhooks: WebhookSettings[];
  /** Access to the property-management gateway; without it every gateway call is answered with 403. */
  gateway?: GatewaySettings | undefined;
  /**
   * Largest amount by currency, in minor units. With it, currencies that are not in it are refused.
   * @example { "EUR": 500000 }
   */
  maxAmount?: Record<string, number> | undefined;
  /**
   * Whether a session may ask for a surcharge. Surcharges are forbidden in some countries and for some cards.
   * @example false
   */
  surcharge: boolean;
  /**
   * Largest surcharge to believe, in percent of what was asked: 0 to 100. A payment whose record shows more is `unknown`
   * until somebody has looked at it.
   * @example 10
   */
  maxSurchargePercent: number;
  /**
   * Whether staff may key in cards. Works in the MOTO build alone.
   * @example false
   */
  moto: boolean;
  /** The password before the last change. Keep it for thirty days: what was sealed with it, card tokens above all, still opens. */
  previousPassword?: string | undefined;
}

const Text: v.GenericSchema<string> = v.pipe(v.string(), v.minLength(1, 'must not be empty'));

const OriginSchema: v.GenericSchema<unknown, string> = v.pipe(
  v.string(),
  v.check(isOrigin, 'must be an origin such as https://hotel.example, without a path'),
);

const BaseUrlSchema = v.pipe(
  v.string(),
  v.check((text) => {
    const url = parseHttpUrl(text);
    return url !== undefined && isSecureUrl(url, { allowLoopbackHttp: true }) && url.search === '' && url.hash === '';
  }, 'must be an https address without query (http only for this machine)'),
);

const TimeZoneSchema = v.pipe(
  v.string(),
  v.check((timeZone) => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
    } catch {
      return false;
    }
  }, 'must be an IANA time zone such as Europe/Vienna'),
);

const ReturnCodeSchema = v.pipe(
  v.string(),
  v.regex(/^[\x21-\x7e]{1,16}$/, 'must be 1 to 16 visible ASCII characters'),
  v.check((code) => !/^0+$/.test(code), 'must not be 0, which is success'),
);

const merchantKeyEntries = {
  id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9._-]{1,40}$/, 'must be 1 to 40 of A-Z a-z 0-9 . _ -')),
  sha256: v.pipe(
    v.string(),
    v.transform((text) => text.toLowerCase()),
    v.regex(/^[0-9a-f]{64}$/, 'must be the 64 hexadecimal characters of the key’s SHA-256'),
  ),
  scopes: v.pipe(v.array(v.picklist(SCOPES)), v.minLength(1, 'must name at least one scope')),
};

const MerchantKeySchema: v.GenericSchema<unknown, MerchantKey> = v.strictObject(merchantKeyEntries);

const WebhookSecretSchema = v.pipe(
  v.string(),
  v.regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'must be whsec_ and the base64 of at least 24 bytes'),
);

const WebhookSchema: v.GenericSchema<unknown, WebhookSettings> = v.strictObject({
  url: v.pipe(
    v.string(),
    v.check((text) => {
      const url = parseHttpUrl(text);
      if (url === undefined || url.hash !== '') return false;
      if (isLoopbackHost(url.hostname)) return true;
      return url.protocol === 'https:' && !isAddressLiteral(url.hostname) && url.hostname.includes('.');
    }, 'must be an https address with a host name (loopback only while livemode is false)'),
  ),
  secret: v.union([WebhookSecretSchema, v.pipe(v.array(WebhookSecretSchema), v.minLength(1), v.maxLength(3))]),
});

const GatewaySchema: v.GenericSchema<unknown, GatewaySettings> = v.strictObject({
  apiKey: v.pipe(v.string(), v.regex(/^.{40}$/, 'must have 40 characters')),
  apiKeyIn: v.optional(v.picklist(['header', 'query', 'basic']), 'header'),
  productId: v.optional(
    v.strictObject({
      value: v.pipe(v.string(), v.regex(/^[\x20-\x7e]+$/, 'must be visible ASCII')),
      in: v.picklist(['header', 'query']),
      name: v.pipe(v.string(), v.regex(/^[A-Za-z0-9._-]+$/, 'must be of A-Z a-z 0-9 . _ -')),
    }),
  ),
  allow: v.array(v.pipe(v.string(), v.regex(/^[A-Za-z0-9._-]+\/[A-Za-z0-9._-]+$/, 'must be protocol/method'))),
});

/** The JSON of one property, field by field. */
export const PropertySchema: v.GenericSchema<unknown, PropertyFields> = v.strictObject({
  displayName: v.pipe(
    v.string(),
    v.minLength(1, 'must not be empty'),
    v.maxLength(80, 'must be at most 80 characters'),
  ),
  livemode: v.optional(v.boolean(), false),
  baseUrl: BaseUrlSchema,
  customerId: Text,
  username: Text,
  password: Text,
  hotelID: Text,
  hotelIDType: Text,
  user: Text,
  timeZone: TimeZoneSchema,
  amountUnit: v.picklist(['minor', 'major']),
  uncertainReturnCodes: v.optional(v.array(ReturnCodeSchema), ['68', '91', '96']),
  expiresInUnit: v.optional(v.picklist(['seconds', 'minutes']), 'seconds'),
  providerDirect: Text,
  providerHosted: Text,
  allowedOrigins: v.optional(v.array(OriginSchema), []),
  viewOrigins: v.optional(v.array(OriginSchema), []),
  origins: v.array(OriginSchema),
  merchantKeys: v.pipe(v.array(MerchantKeySchema), v.minLength(1, 'must hold at least one key')),
  webhooks: v.optional(v.array(WebhookSchema), []),
  gateway: v.optional(GatewaySchema),
  maxAmount: v.optional(
    v.record(
      v.pipe(
        v.string(),
        v.check((code) => currencyExponent(code) !== undefined, 'must be an ISO 4217 code'),
      ),
      v.pipe(v.number(), v.safeInteger('must be an integer of minor units'), v.minValue(1)),
    ),
  ),
  surcharge: v.optional(v.boolean(), false),
  maxSurchargePercent: v.optional(
    v.pipe(v.number(), v.minValue(0, 'must be 0 to 100'), v.maxValue(100, 'must be 0 to 100')),
    10,
  ),
  moto: v.optional(v.boolean(), false),
  previousPassword: v.optional(Text),
});

/** Where two fields do not fit together: the one to blame and why; undefined when all is well. */
export function findConflict(fields: PropertyFields): { readonly field: string; readonly message: string } | undefined {
  // Plain http is for this machine only, and only where its consequences stay there too.
  const mayUseHttp = new URL(fields.baseUrl).protocol === 'http:';
  for (const field of ['allowedOrigins', 'viewOrigins'] as const) {
    const index = fields[field].findIndex((origin) => !isSecureUrl(new URL(origin), { allowLoopbackHttp: mayUseHttp }));
    if (index >= 0) {
      return {
        field: `${field}.${index}`,
        message: 'must be https (loopback http only if baseUrl itself is loopback http)',
      };
    }
  }
  const origin = fields.origins.findIndex(
    (text) => !isSecureUrl(new URL(text), { allowLoopbackHttp: !fields.livemode }),
  );
  if (origin >= 0) {
    return { field: `origins.${origin}`, message: 'must be https (loopback http only while livemode is false)' };
  }
  const webhook = fields.webhooks.findIndex(({ url }) => fields.livemode && isLoopbackHost(new URL(url).hostname));
  return webhook < 0
    ? undefined
    : { field: `webhooks.${webhook}.url`, message: 'must not point to this machine in livemode' };
}

/** What is still readable of a property that cannot be served: enough to answer its callers honestly. */
export function readableRemains(json: unknown): { merchantKeys: MerchantKey[]; origins: string[] } {
  const { merchantKeys, origins } = Object(json) as Record<string, unknown>;
  // With a field too many it is still a key: its holder hears what is wrong, not that the key is.
  return {
    merchantKeys: eachValid(v.object(merchantKeyEntries), merchantKeys),
    origins: eachValid(OriginSchema, origins),
  };
}

function eachValid<Output>(schema: v.GenericSchema<unknown, Output>, values: unknown): Output[] {
  return (Array.isArray(values) ? values : []).flatMap((value) => {
    const parsed = v.safeParse(schema, value);
    return parsed.success ? [parsed.output] : [];
  });
}
