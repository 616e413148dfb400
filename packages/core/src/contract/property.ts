/** One hotel's configuration: the JSON of a `PROPERTY_<ID>` secret. Strict, so that a typing mistake is an error with a name. */
import * as v from 'valibot';
import { CARD_BRANDS } from '../values/card-brand.ts';
import { GATEWAY_KEY, isWholeKey, RESERVED_NAMES } from '../values/gateway-setting.ts';
import { isTimeZone } from '../values/local-date-time.ts';
import type { AmountUnit } from '../values/money.ts';
import { isRefusalStatus, REFUSAL_STATUS_RULE } from '../values/refusal-status.ts';
import { isAddressLiteral, isLoopbackHost, isOrigin, isSegment, parseHttpUrl } from '../values/web-address.ts';
import { isHarmless } from './fields.ts';
import { MerchantKeySchema } from './key.ts';
import { AmountLimitsSchema } from './money.ts';

/** Which unit the payment service can mean by a bare amount; the specification leaves it open. */
export const AMOUNT_UNITS = ['minor', 'major'] as const satisfies readonly AmountUnit[];

export type { AmountUnit };

/** Units that the login's `expires_in` can have. */
export const EXPIRES_IN_UNITS = ['seconds', 'minutes'] as const;

/** Where the gateway's key can go. */
export const GATEWAY_KEY_PLACES = ['header', 'query', 'basic'] as const;

// As core's client wants them: with one of blanks no payment would be made.
const TextSchema = v.pipe(v.string(), v.regex(/\S/, 'must not be empty'));

/** A name as it may be stored. */
export const StoredNameSchema = v.pipe(
  v.string(),
  v.minLength(1, 'must not be empty'),
  v.maxLength(80, 'must be at most 80 characters'),
);

/** A name that people read, as it is written. */
export const NameSchema = v.pipe(
  StoredNameSchema,
  v.check(
    (name) => name.trim() !== '' && !/\p{Cc}/u.test(name) && isHarmless(name),
    'must be one line of text without a card number',
  ),
);

/** An origin, as browsers send it. */
export const OriginSchema = v.pipe(
  v.string(),
  v.check(isOrigin, 'must be an origin such as https://hotel.example, without a path'),
);

const AddressSchema = v.pipe(
  v.string(),
  v.check((text) => {
    const url = parseHttpUrl(text);
    return url !== undefined && isSecure(url, true) && url.search === '' && url.hash === '';
  }, 'must be an https address without query (http only for this machine)'),
);

const ReturnCodeSchema = v.pipe(
  v.string(),
  v.regex(/^[\x21-\x7e]{1,16}$/, 'must be 1 to 16 visible ASCII characters'),
  v.check((code) => !/^0+$/.test(code), 'must not be 0, which is success'),
);

const WebhookSecretSchema = v.pipe(
  v.string(),
  v.regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'must be whsec_ and the base64 of at least 24 bytes'),
);

/** Where events are sent: an address, and the secret that signs. */
export const WebhookSchema = v.strictObject({
  /**
   * https address with a host name, no address literal; loopback http only while `livemode` is false.
   * @example "http://127.0.0.1:4000/hooks"
   */
  url: v.pipe(
    v.string(),
    v.check((text) => {
      const url = parseHttpUrl(text);
      if (url === undefined || url.hash !== '') return false;
      if (isLoopbackHost(url.hostname)) return true;
      return url.protocol === 'https:' && !isAddressLiteral(url.hostname) && url.hostname.includes('.');
    }, 'must be an https address with a host name (loopback only while livemode is false)'),
  ),
  /**
   * `whsec_` and the Base64 of at least 24 bytes; a list of up to three while it is being rotated.
   * @example "whsec_cmVwbGFjZS10aGlzLWV4YW1wbGUtc2VjcmV0IQ=="
   */
  secret: v.union([
    WebhookSecretSchema,
    v.pipe(v.array(WebhookSecretSchema), v.minLength(1), v.maxLength(3, 'must be at most three')),
  ]),
});

/** Where events are sent. @interface */
export type WebhookSettings = v.InferOutput<typeof WebhookSchema>;

const ProductIdSchema = v.pipe(
  v.strictObject({
    /** The id itself, visible ASCII. */
    value: v.pipe(v.string(), v.regex(/^[\x20-\x7e]+$/, 'must be visible ASCII')),
    /** Whether it is sent as a header or in the query. */
    in: v.picklist(['header', 'query']),
    /** Name of that header or parameter; a parameter's may have slashes. */
    name: v.pipe(v.string(), v.regex(/^[A-Za-z0-9._/-]+$/, 'must be of A-Z a-z 0-9 . _ - /')),
  }),
  v.check((id) => id.in === 'query' || !id.name.includes('/'), 'must have no / in a header'),
);

const GatewaySchema = v.strictObject({
  /** Key of the gateway, 40 characters. @example "0123456789012345678901234567890123456789" */
  apiKey: v.pipe(v.string(), v.regex(GATEWAY_KEY, 'must be 40 visible ASCII characters')),
  /** Where the key goes: a header, the query, or HTTP basic authentication. @example "header" */
  apiKeyIn: v.optional(v.picklist(GATEWAY_KEY_PLACES), 'header'),
  /** The product id, where the vendor wants one with every request. */
  productId: v.optional(
    v.pipe(
      ProductIdSchema,
      v.forward(
        v.check((id) => !RESERVED_NAMES[id.in].test(id.name), 'must not be a name that the request itself uses'),
        ['name'],
      ),
      v.forward(
        v.check((id) => id.in === 'query' || id.value === id.value.trim(), 'must have no blanks around it'),
        ['value'],
      ),
    ),
  ),
  /**
   * `protocol/method` pairs that may be called. Everything else is answered with 403.
   * @example ["RMS/keepalivereq", "RMS/roomreq"]
   */
  allow: v.array(v.pipe(v.string(), v.regex(/^[A-Za-z0-9._-]+\/[A-Za-z0-9._-]+$/, 'must be protocol/method'))),
});

/** The same as it may be stored. A hotel is served although no message can be sent with it. */
export const StoredGatewaySchema = v.strictObject({
  ...GatewaySchema.entries,
  apiKey: v.pipe(v.string(), v.regex(/^.{40}$/, 'must have 40 characters')),
  productId: v.optional(ProductIdSchema),
});

/** The gateway's settings. @interface */
export type GatewaySettings = v.InferOutput<typeof GatewaySchema>;

function daysBetween(min: number, max: number) {
  const range = `must be ${min} to ${max} days`;
  return v.pipe(v.number(range), v.integer(range), v.minValue(min, range), v.maxValue(max, range));
}

/** The JSON of one property, field by field. */
export const PropertySchema = v.strictObject({
  /** Name of the hotel that guests read. @example "Hotel Aurora" */
  displayName: NameSchema,
  /**
   * Whether real money moves. False marks every page and element as a test, and lets origins and webhooks be on this machine.
   * True refuses a payment service on this machine and `SANDBOX_…` providers.
   * @example false
   */
  livemode: v.optional(v.boolean(), false),
  /**
   * Address of the payment service: https, without query; http only for this machine.
   * @example "http://127.0.0.1:8790"
   */
  baseUrl: AddressSchema,
  /** The payment service's id of the customer, part of its addresses. @example "1234" */
  customerId: v.pipe(TextSchema, v.check(isSegment, 'must be a text that an address can hold')),
  /** User at the payment service. @example "demo" */
  username: TextSchema,
  /**
   * Password at the payment service. Without `SEALING_KEYS`, what the proxy stores is sealed with a key made of it.
   * @example "demo-password"
   */
  password: TextSchema,
  /** Id of the hotel in its property-management system. @example "1" */
  hotelID: TextSchema,
  /** Kind of property-management system, as the vendor names it. @example "SANDBOX_PMS" */
  hotelIDType: TextSchema,
  /** Operator name that the payment service records. @example "web" */
  user: TextSchema,
  /** IANA name of the hotel's time zone. @example "Europe/Vienna" */
  timeZone: v.pipe(v.string(), v.check(isTimeZone, 'must be an IANA time zone such as Europe/Vienna')),
  /**
   * When the hotel's day begins in its time zone, for the lists of its payments: a night shift that ends at four counts with the evening
   * before. @example "04:00"
   */
  dayStartsAt: v.optional(
    v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 04:00')),
    '00:00',
  ),
  /**
   * What the payment service's amounts count: `minor` if 12000 means 120.00, `major` if 120 does. There is no default: ask the
   * vendor, because the wrong answer charges 100 times too much or too little.
   * @example "minor"
   */
  amountUnit: v.picklist(AMOUNT_UNITS),
  /**
   * Values of `returnCode` that leave open whether a charge or a reversal was executed: it is then `unknown`, not `declined`.
   * 1 to 16 visible ASCII characters each; leading zeros do not count. Ask the vendor for the list.
   * @example ["68", "91", "96"]
   */
  uncertainReturnCodes: v.optional(v.array(ReturnCodeSchema), ['68', '91', '96']),
  /**
   * HTTP statuses with which the payment service refuses a charge or a reversal that it has not carried out, such as 400 or 422: it is then
   * `declined` when the answer has a `returnCode`, else `failed`, and not `unknown`. 4xx other than 401, 403, 408 and 429. Ask the vendor.
   * @example []
   */
  refusalStatuses: v.optional(
    v.array(
      v.pipe(
        v.number(),
        v.check((status) => isRefusalStatus(status), REFUSAL_STATUS_RULE),
      ),
    ),
    [],
  ),
  /** Unit of the login's `expires_in`. @example "seconds" */
  expiresInUnit: v.optional(v.picklist(EXPIRES_IN_UNITS), 'seconds'),
  /** `serviceProvider` for keyed and stored cards, as the vendor named it. @example "SANDBOX_DIRECT" */
  providerDirect: TextSchema,
  /** `serviceProvider` for hosted pages, as the vendor named it. @example "SANDBOX_HOSTED" */
  providerHosted: TextSchema,
  /**
   * Further origins, besides that of `baseUrl`, that status addresses may have. The access token goes there.
   * @example []
   */
  allowedOrigins: v.optional(v.array(OriginSchema), []),
  /** Further origins that hosted pages may have. Only guests go there. @example [] */
  viewOrigins: v.optional(v.array(OriginSchema), []),
  /**
   * Origins of the hotel's own pages: where elements may run and where guests may return to.
   * @example ["http://127.0.0.1:4000"]
   */
  origins: v.array(OriginSchema),
  /**
   * Whether pages of this machine and of its local network are the hotel's own as well, on any port: `localhost` and names below
   * it, loopback and private addresses, names in `.local`. For development; refused while `livemode` is true.
   * @example false
   */
  localOrigins: v.optional(v.boolean(), false),
  /**
   * Origins of the pages that staff use: those of a back office with the elements of the desk. Guests' `origins` do not count.
   * @example ["https://office.hotel.example"]
   */
  deskOrigins: v.optional(v.array(OriginSchema), []),
  /**
   * Brands of cards that the hotel accepts, for guests to read before they pay. The payment service decides, whatever
   * this says. Empty: nothing is said.
   * @example ["visa", "mastercard"]
   */
  acceptedBrands: v.optional(v.array(v.picklist(CARD_BRANDS)), []),
  /** Keys of the hotel's servers, at least one; only their hashes. */
  merchantKeys: v.pipe(v.array(MerchantKeySchema), v.minLength(1, 'must hold at least one key')),
  /** Where events are sent; each address has a secret of its own. */
  webhooks: v.optional(v.array(WebhookSchema), []),
  /** Access to the property-management gateway; without it every gateway call is answered with 403. */
  gateway: v.optional(
    v.pipe(
      GatewaySchema,
      v.forward(
        v.check((key) => isWholeKey(key), 'must have no colon with apiKeyIn basic'),
        ['apiKey'],
      ),
    ),
  ),
  /**
   * Largest amount by currency, in minor units. With it, currencies that are not in it are refused.
   * @example { "EUR": 500000 }
   */
  maxAmount: v.optional(AmountLimitsSchema),
  /**
   * Whether a session may ask for a surcharge. Surcharges are forbidden in some countries and for some cards.
   * @example false
   */
  surcharge: v.optional(v.boolean(), false),
  /**
   * Largest surcharge to believe, in percent of what was asked: 0 to 100. A payment whose record shows more is `unknown`
   * until somebody has looked at it.
   * @example 10
   */
  maxSurchargePercent: v.optional(
    v.pipe(v.number(), v.minValue(0, 'must be 0 to 100'), v.maxValue(100, 'must be 0 to 100')),
    10,
  ),
  /**
   * Whether an unknown reversal can be resolved as failed only by somebody other than its author: another person, or another key where no
   * person is named. @example false
   */
  fourEyes: v.optional(v.boolean(), false),
  /**
   * After how many days what names a person is erased from payments, as redacting them does: 30 to 1,100, from when a payment was made or
   * completed. A payment whose outcome is still open is left as it is. Ids, amounts and states are kept for 400 days at least.
   * @example 90
   */
  retentionDays: v.optional(daysBetween(30, 1_100), 400),
  /**
   * For how many days the token of a stored card is kept, 1 to 1,100, at most until its `tokenValidUntil`. It applies to cards
   * that are stored from then on.
   * @example 365
   */
  keepCardsDays: v.optional(daysBetween(1, 1_100), 30),
  /** Whether staff may key in cards. Works only in the MOTO build. @example false */
  moto: v.optional(v.boolean(), false),
  /** The password before the last change. Keep it as long as card tokens are kept: what was sealed with it still opens. */
  previousPassword: v.optional(v.pipe(v.string(), v.minLength(1, 'must not be empty'))),
});

/** What a property's JSON becomes, defaults filled in. @interface */
export type PropertyFields = v.InferOutput<typeof PropertySchema>;

/** A property's JSON as it is written. What is absent has the proxy's default. @interface */
export type PropertyInput = v.InferInput<typeof PropertySchema>;

/** Largest JSON of a property, in bytes. */
export const MAX_PROPERTY_BYTES: number = 16 * 1024;

/** Largest value of a secret of Cloudflare, in bytes. */
export const MAX_SECRET_BYTES: number = 5 * 1024;

/** Whether this is https, or plain http to this machine where that is allowed. */
export function isSecure(url: URL, mayUseHttp: boolean): boolean {
  return url.protocol === 'https:' || (mayUseHttp && isLoopbackHost(url.hostname));
}
