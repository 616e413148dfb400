import { type Context, createContext } from '@innkeep/core/context';
import type { PropertyInput } from '@innkeep/core/contract';
import { type InnkeepError, isInnkeepError } from '@innkeep/core/errors';
import { isTrustedUrl, type TrustedOrigins } from '@innkeep/core/hosted';
import { call } from '@innkeep/core/operations/call';
import { login } from '@innkeep/core/operations/login';
import { toLocalDateTime } from '@innkeep/core/values';
import { withReason } from '../failures/explain-error.ts';
import type { Io } from '../process/io.ts';
import { type CheckResult, ok, problem, skipped } from './check-result.ts';
import { type ClockReading, readClock } from './clock.ts';

/** What a login needs. */
type UpstreamSettings = Omit<PropertyInput, 'merchantKeys' | 'webhooks' | 'gateway'>;

/** The payment service as a property reaches it, and the clock readings that its answers brought. */
export interface Upstream {
  readonly context: Context;
  readonly clockReadings: readonly ClockReading[];
}

/** Makes the payment client of a property. Sends nothing. @throws `configuration` */
export function connectUpstream(io: Io, property: UpstreamSettings): Upstream {
  const clockReadings: ClockReading[] = [];
  const context = createContext({
    baseUrl: property.baseUrl,
    customerId: property.customerId,
    credentials: { username: property.username, password: property.password },
    hotel: {
      hotelID: property.hotelID,
      hotelIDType: property.hotelIDType,
      user: property.user,
      timeZone: property.timeZone,
    },
    providers: { direct: property.providerDirect, hosted: property.providerHosted },
    amountUnit: property.amountUnit,
    expiresInUnit: property.expiresInUnit,
    allowedOrigins: property.allowedOrigins,
    viewOrigins: property.viewOrigins,
    now: io.now,
    maxNetworkRetries: 1,
    fetch: async (input, init) => {
      const sentAt = io.now();
      const answer = await io.fetch(input, init);
      clockReadings.push(readClock(answer.headers.get('date'), sentAt, io.now()));
      return answer;
    },
  });
  return { context, clockReadings };
}

/** Logs in. */
export async function checkLogin(io: Io, property: UpstreamSettings, { context }: Upstream): Promise<CheckResult> {
  const host = new URL(property.baseUrl).host;
  try {
    const { expiresAt } = await login(context, { signal: io.signal });
    const minutes = Math.round((expiresAt.getTime() - io.now().getTime()) / 60_000);
    const message = `${host} accepts the login; its tokens last ${minutes} minutes.`;
    if (minutes >= 5 && minutes <= 24 * 60) return ok('login', message);
    return problem(
      'login',
      message,
      `That is an unusual lifetime. Set expiresInUnit to ${property.expiresInUnit === 'minutes' ? 'seconds' : 'minutes'} if the service counts in them.`,
    );
  } catch (error) {
    if (!isInnkeepError(error)) throw error;
    return problem('login', `${host}: ${withReason(error.message, error)}`, loginFix(error));
  }
}

/**
 * Starts one hosted card page, which nobody opens and which moves no money, and looks where its addresses point: the
 * only way to learn which origins the payment service uses.
 */
export async function checkTrustedUrls(io: Io, property: PropertyInput, { context }: Upstream): Promise<CheckResult> {
  const name = 'trusted-urls';
  const returnUrl = `${property.origins[0] ?? new URL(property.baseUrl).origin}/`;
  try {
    const answer = await call(
      context,
      {
        operation: 'initCreateTokenNoIframe',
        body: {
          hotelID: property.hotelID,
          hotelIDType: property.hotelIDType,
          user: property.user,
          datetime: toLocalDateTime(io.now(), property.timeZone),
          serviceProvider: property.providerHosted,
          cardInfoRefID: `check-${Buffer.from(io.randomBytes(8)).toString('hex')}`,
          callbackSuccessUrl: returnUrl,
          callbackAbortUrl: returnUrl,
          tokenType: 'eCommerce',
          theme: 'bright',
        },
      },
      { signal: io.signal },
    );
    const { returnCode, viewUrl, stateRetrivalUrl } = Object(answer) as Record<string, unknown>;
    if (String(returnCode) !== '0') {
      return problem(
        name,
        `The service refuses to start a hosted page (returnCode ${JSON.stringify(String(returnCode))}).`,
        'Check providerHosted, hotelID and hotelIDType, and that the provider fits this environment.',
      );
    }
    return checkAddresses({ viewUrl, stateRetrivalUrl }, context);
  } catch (error) {
    if (!isInnkeepError(error)) throw error;
    return problem(
      name,
      `A hosted page cannot be started: ${error.message}`,
      'Check customerId, providerHosted, hotelID and hotelIDType against what the vendor gave you.',
    );
  }
}

/** Says that the addresses were not checked, and what a wrong list looks like. */
export function skippedTrustedUrls(why: string): CheckResult {
  return skipped('trusted-urls', why, 'Repeat the check with a working login and without --no-hosted-page.');
}

function checkAddresses(
  { viewUrl, stateRetrivalUrl }: { viewUrl: unknown; stateRetrivalUrl: unknown },
  { statusOrigins, viewOrigins }: Context,
): CheckResult {
  const rows: readonly (readonly [field: string, address: unknown, list: string, trusted: TrustedOrigins])[] = [
    ['stateRetrivalUrl', stateRetrivalUrl, 'allowedOrigins', statusOrigins],
    ['viewUrl', viewUrl, 'viewOrigins', viewOrigins],
  ];
  const bad = rows.filter(([, address, , trusted]) => typeof address !== 'string' || !isTrustedUrl(address, trusted));
  if (bad.length === 0) return ok('trusted-urls', 'stateRetrivalUrl and viewUrl point to trusted origins.');
  return problem(
    'trusted-urls',
    bad.map(([field, address]) => `${field} points to ${originOf(address)}, which is not trusted.`).join(' '),
    bad.map(([, address, list, { baseUrl }]) => fixFor(address, list, baseUrl)).join(' '),
  );
}

function fixFor(address: unknown, list: string, baseUrl: string | URL): string {
  const origin = originOf(address);
  const wouldBeTrusted = typeof address === 'string' && isTrustedUrl(address, { baseUrl, origins: [origin] });
  if (!wouldBeTrusted) return 'The service must hand out https addresses: ask the vendor.';
  const note = list === 'allowedOrigins' ? ' (the access token goes there)' : '';
  return `If the vendor confirms that it is theirs${note}, add "${origin}" to ${list}.`;
}

/** Only the origin: path and query of these addresses are secrets. */
function originOf(address: unknown): string {
  return typeof address === 'string' && URL.canParse(address) ? new URL(address).origin : 'no address';
}

function loginFix(error: InnkeepError): string {
  switch (error.code) {
    case 'authentication_failed':
      // Something answered without a token: perhaps it is not the payment service.
      if (!('status' in error && error.status)) return 'Check baseUrl, and username and password of the property.';
      return 'Correct username and password of the property. Too many tries may lock the account: ask the vendor first.';
    case 'network':
      return 'Check baseUrl, and that this machine reaches it: name, port, certificate, firewall.';
    case 'timeout':
      return 'The service does not answer. Check baseUrl, or try again later.';
    default:
      return 'Check baseUrl: it must be the address in front of /login, without /login and without /V2.';
  }
}
