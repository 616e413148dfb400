import type { TrustedOrigins } from '../hosted/trusted-url.ts';
import type { AmountUnit } from '../values/money.ts';
import type { Redacted } from '../values/redacted.ts';

/** The hotel that operations speak for. */
export interface HotelSettings {
  /** Id of the hotel in its property-management system. */
  hotelID: string;
  /** Kind of property-management system that `hotelID` belongs to. */
  hotelIDType: string;
  /** Operator name that the upstream records. */
  user: string;
  /** IANA time zone of the property, for example `Europe/Vienna`. */
  timeZone: string;
}

/** Values of `serviceProvider` for the two flows. */
export interface ProviderSettings {
  /** For cards keyed by staff and for stored cards. */
  direct: string;
  /** For hosted pages. */
  hosted: string;
}

/** A request as logs may see it: secrets, card data and query values are blanked. */
export interface RequestView {
  /** Name of the operation: `login`, `pay`, `paystatus`. */
  operation: string;
  /** Counts from 1 within one call. */
  attempt: number;
  /** HTTP method. */
  method: string;
  /** Address, its query values blanked. */
  url: string;
  /** Headers, credentials blanked. */
  headers: Record<string, string>;
  /** Parsed and redacted body, if there is one. */
  body?: unknown;
}

/** An answer as logs may see it. */
export interface ResponseView {
  /** Name of the operation, as in the view of its request. */
  operation: string;
  /** Which attempt it answers. */
  attempt: number;
  /** Absent when there was no answer. */
  status?: number;
  /** Parsed and redacted body, if it is JSON. */
  body?: unknown;
  /** Code of the failure, if it is one. */
  code?: string;
  /** Milliseconds from sending to the end of the body. */
  durationMs: number;
}

/** A fresh access token. */
export interface LoginResult {
  accessToken: Redacted;
  /** When the upstream stops accepting it, by the local clock. */
  expiresAt: Date;
  /** Roles of the user, as the upstream names them; empty when it sent none. */
  roles: string[];
}

/** Where access tokens come from. */
export interface AccessTokenSource {
  /** A token to use now; `rejected` is one that the upstream just refused. */
  get(hint: { rejected?: string }): Promise<string>;
  /** Logs in now, if credentials are at hand. */
  login?: () => Promise<LoginResult>;
}

/** What every operation needs to send itself. Made by `createContext`; holds no readable secret. */
export interface Context {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Path segment that identifies the customer. */
  readonly customerId: string;
  readonly hotel: Readonly<HotelSettings>;
  readonly providers: Readonly<ProviderSettings>;
  readonly amountUnit: AmountUnit;
  /** Codes that do not say whether money has moved, in the spelling of `comparableReturnCode`. */
  readonly uncertainReturnCodes: readonly string[];
  /** Where the access token may go. */
  readonly statusOrigins: TrustedOrigins;
  /** Where the guest may be sent. */
  readonly viewOrigins: TrustedOrigins;
  /** Sends a request. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The time. */
  readonly now: () => Date;
  /** Set when the caller chose one limit for everything. */
  readonly timeoutMs: number | undefined;
  /** How often reads and login are tried again. */
  readonly maxNetworkRetries: number;
  /** False in a page, unless `dangerouslyAllowBrowser` was set. */
  readonly allowsMoneyCalls: boolean;
  /** Where access tokens come from. */
  readonly tokens: AccessTokenSource;
  /** Blanks the credentials, and `secrets`, in a text or a JSON value. */
  readonly redact: <Value>(value: Value, secrets?: readonly string[]) => Value;
  /** Called with the redacted view of every request. */
  readonly onRequest: ((view: RequestView) => void) | undefined;
  /** Called with the redacted view of every answer. */
  readonly onResponse: ((view: ResponseView) => void) | undefined;
}

/** Settings of one call. */
export interface CallOptions {
  /** Aborting rejects with the signal's reason, except after a call that moves money was sent: then `outcome_unknown`. */
  signal?: AbortSignal | undefined;
}
