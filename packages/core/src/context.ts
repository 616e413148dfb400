/**
 * Settings, checked once, in the form that operations need: authentication and transport, no operation.
 *
 * Import path: `@innkeep/core/context`.
 *
 * @module
 */
import { type AccessTokenSource, type Credentials, createAccessTokenCache, requestLogin } from './auth/access-token.ts';
import type { PropertyInput } from './contract/property.ts';
import type { TrustedOrigins } from './hosted/trusted-url.ts';
import { comparableReturnCode } from './schemas/return-code.ts';
import type { RequestView, ResponseView, SendingContext } from './transport/send.ts';
import { isTimeZone } from './values/local-date-time.ts';
import type { AmountUnit } from './values/money.ts';
import { redactJson } from './values/redact.ts';
import { isRefusalStatus, REFUSAL_STATUS_RULE } from './values/refusal-status.ts';
import { badSetting, checkClientSettings, requireBaseAddress, requireSegment } from './values/settings.ts';
import { isLoopbackHttp } from './values/web-address.ts';

export type { Credentials, LoginResult } from './auth/access-token.ts';
export type { CallOptions, RequestView, ResponseView } from './transport/send.ts';

/** The hotel for which operations are sent. @interface */
export type HotelSettings = Pick<PropertyInput, 'hotelID' | 'hotelIDType' | 'user' | 'timeZone'>;

/** Values of `serviceProvider` for the two flows. */
export interface ProviderSettings {
  /** For cards keyed by staff and for stored cards. */
  direct: string;
  /** For hosted pages. */
  hosted: string;
}

/** What every operation needs to send itself. Made by `createContext`; holds no readable secret. */
export interface Context extends SendingContext {
  /** Path segment that identifies the customer. */
  readonly customerId: string;
  /** The hotel for which operations are sent. */
  readonly hotel: Readonly<HotelSettings>;
  /** Values of `serviceProvider` for the two flows. */
  readonly providers: Readonly<ProviderSettings>;
  /** Unit of the upstream's amounts. */
  readonly amountUnit: AmountUnit;
  /** Where the access token may go. */
  readonly statusOrigins: TrustedOrigins;
  /** Where the guest may be sent. */
  readonly viewOrigins: TrustedOrigins;
  /** Where access tokens come from. */
  readonly tokens: AccessTokenSource;
}

/** Settings of the payment client. Either `credentials` or `accessToken`. */
export interface ClientOptions {
  /** Address of the payment API, with or without a trailing slash; a path prefix is kept. https, or http on loopback. */
  baseUrl: string | URL;
  /** Path segment that identifies the customer. */
  customerId: string;
  /** User for the built-in access-token cache. */
  credentials?: Credentials | undefined;
  /** Your own source of access tokens; after a 401 it is called once with the rejected token. */
  accessToken?: ((hint: { rejected?: string }) => Promise<string>) | undefined;
  /** The hotel for which operations are sent. */
  hotel: HotelSettings;
  /** Values of `serviceProvider` for the two flows. */
  providers: ProviderSettings;
  /** Unit of the upstream's amounts. The specification leaves it open, so there is no default: ask the vendor. */
  amountUnit: AmountUnit;
  /**
   * Values of `returnCode` that do not say whether a money call was executed, so that it ends as `outcome_unknown` and not
   * as `declined`. Leading zeros do not count. @default ['68', '91', '96'], in ISO 8583 "too late", "unavailable" and
   * "malfunction"
   */
  uncertainReturnCodes?: readonly string[] | undefined;
  /**
   * HTTP statuses with which the upstream refuses a money call that it has not executed: 4xx, other than 401 and 403, which mean that
   * anyway, and 408 and 429, which never do. Without them such an answer is `outcome_unknown`. @default []
   */
  refusalStatuses?: readonly number[] | undefined;
  /** Unit of the login's `expires_in`. @default 'seconds' */
  expiresInUnit?: 'seconds' | 'minutes' | undefined;
  /** Further origins that `stateRetrivalUrl` may have; the access token goes there. @default [] */
  allowedOrigins?: readonly string[] | undefined;
  /** Further origins that `viewUrl` may have; only the guest goes there. @default [] */
  viewOrigins?: readonly string[] | undefined;
  /**
   * Called with one `Request` of this runtime. A `fetch` of another library needs a wrapper that hands on `method`, `headers`, `body`,
   * `signal` and `redirect`: one that follows a redirect takes the secrets along.
   * @default globalThis.fetch
   */
  fetch?: typeof fetch | undefined;
  /** The clock. @default () => new Date() */
  now?: (() => Date) | undefined;
  /** Limit of one request in milliseconds, body included. @default 30_000, for pay and reversal 90_000 */
  timeoutMs?: number | undefined;
  /** Retries after network failures, 408, 429 and 5xx; for reads and login only. @default 2 */
  maxNetworkRetries?: number | undefined;
  /** Redacted view of every request, for logs. */
  onRequest?: ((view: RequestView) => void) | undefined;
  /** Redacted view of every answer, for logs. */
  onResponse?: ((view: ResponseView) => void) | undefined;
  /** Allow pay, reversal and createToken in a page, where the browser may send a POST twice by itself. @default false */
  dangerouslyAllowBrowser?: boolean | undefined;
}

/**
 * Checks the settings and makes the context that every operation takes as its first argument.
 *
 * @throws `configuration` with the path of the bad setting
 */
export function createContext(options: ClientOptions): Context {
  if (typeof options !== 'object' || options === null) throw badSetting('options', 'must be an object');
  const baseUrl = requireBaseAddress(options.baseUrl, 'baseUrl');
  checkClientSettings(options);
  const { credentials, accessToken } = options;
  if ((credentials === undefined) === (accessToken === undefined)) {
    throw badSetting('credentials', 'give either credentials or accessToken');
  }
  if (credentials !== undefined) {
    if (typeof credentials !== 'object' || credentials === null) throw badSetting('credentials', 'must be an object');
    text(credentials.username, 'credentials.username');
    text(credentials.password, 'credentials.password');
  }
  for (const name of ['accessToken', 'now', 'onRequest', 'onResponse'] as const) {
    if (options[name] !== undefined && typeof options[name] !== 'function')
      throw badSetting(name, 'must be a function');
  }
  const hotel = {
    hotelID: text(options.hotel?.hotelID, 'hotel.hotelID'),
    hotelIDType: text(options.hotel?.hotelIDType, 'hotel.hotelIDType'),
    user: text(options.hotel?.user, 'hotel.user'),
    timeZone: text(options.hotel?.timeZone, 'hotel.timeZone'),
  };
  if (!isTimeZone(hotel.timeZone)) throw badSetting('hotel.timeZone', 'Not an IANA time zone this runtime knows');
  const { now = () => new Date(), amountUnit, expiresInUnit = 'seconds' } = options;
  if (!Number.isInteger(Object(now()).getTime?.())) throw badSetting('now', 'must give a date');
  if (amountUnit !== 'minor' && amountUnit !== 'major') throw badSetting('amountUnit', "must be 'minor' or 'major'");
  if (expiresInUnit !== 'seconds' && expiresInUnit !== 'minutes')
    throw badSetting('expiresInUnit', "'seconds' or 'minutes'");
  const statusOrigins = origins(options.allowedOrigins, 'allowedOrigins', baseUrl);
  // A secret stays inside this closure, so that printing a context cannot show it.
  const known = credentials === undefined ? [] : [credentials.password, ...longEnough(credentials.username)];

  const context: Context = Object.freeze({
    baseUrl,
    customerId: requireSegment(options.customerId, 'customerId'),
    hotel: Object.freeze(hotel),
    providers: Object.freeze({
      direct: text(options.providers?.direct, 'providers.direct'),
      hosted: text(options.providers?.hosted, 'providers.hosted'),
    }),
    amountUnit,
    uncertainReturnCodes: returnCodes(options.uncertainReturnCodes),
    refusalStatuses: statuses(options.refusalStatuses),
    statusOrigins: { baseUrl, origins: statusOrigins },
    viewOrigins: { baseUrl, origins: [...statusOrigins, ...origins(options.viewOrigins, 'viewOrigins', baseUrl)] },
    fetch: options.fetch,
    now,
    timeoutMs: options.timeoutMs,
    maxNetworkRetries: options.maxNetworkRetries ?? 2,
    allowsMoneyCalls: options.dangerouslyAllowBrowser === true || !isPage(),
    redact: <Value>(value: Value, secrets: readonly string[] = []) =>
      redactJson(value, [...known, ...secrets]) as Value,
    onRequest: options.onRequest,
    onResponse: options.onResponse,
    tokens: tokenSource(),
  });
  return context;

  function tokenSource(): AccessTokenSource {
    if (credentials === undefined) return { get: async (hint) => accessToken?.(hint) ?? '' };
    const secondsPerUnit = expiresInUnit === 'minutes' ? 60 : 1;
    return createAccessTokenCache({ login: () => requestLogin(context, credentials, secondsPerUnit), now });
  }
}

/** A name of one or two letters is part of many words, so blanking it would blank everything. */
function longEnough(username: string): string[] {
  return username.length < 3 ? [] : [username];
}

/** A page, or a worker of a browser: only browsers call themselves Mozilla. */
function isPage(): boolean {
  const scope = globalThis as {
    document?: { defaultView?: unknown };
    WorkerGlobalScope?: unknown;
    navigator?: Navigator;
  };
  if (scope.document?.defaultView !== undefined) return true;
  return scope.WorkerGlobalScope !== undefined && /^Mozilla\//.test(scope.navigator?.userAgent ?? '');
}

function origins(values: readonly string[] | undefined, path: string, baseUrl: string): readonly string[] {
  return list(values, path, (value, place) => {
    const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
    const isAllowed =
      url?.protocol === 'https:' || (url !== undefined && isLoopbackHttp(url) && isLoopbackHttp(new URL(baseUrl)));
    if (url === undefined || !isAllowed || url.href !== `${url.origin}/`) {
      throw badSetting(place, 'must be an https origin such as https://pay.example');
    }
    return url.origin;
  });
}

function returnCodes(values: readonly string[] = ['68', '91', '96']): readonly string[] {
  return list(values, 'uncertainReturnCodes', (value, path) => {
    const code = comparableReturnCode(text(value, path));
    if (code === '0') throw badSetting(path, 'must not be 0, which is success');
    return code;
  });
}

function statuses(values: readonly number[] | undefined): readonly number[] {
  return list(values, 'refusalStatuses', (value, path) => {
    if (!isRefusalStatus(value)) throw badSetting(path, REFUSAL_STATUS_RULE);
    return value;
  });
}

/** Reads the items of a list, each with its own path. */
function list<Item>(
  values: readonly Item[] = [],
  path: string,
  read: (value: Item, path: string) => Item,
): readonly Item[] {
  if (!Array.isArray(values)) throw badSetting(path, 'must be a list');
  return Object.freeze(values.map((value: Item, index) => read(value, `${path}.${index}`)));
}

function text(value: unknown, path: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw badSetting(path, 'must be a non-empty string');
}
