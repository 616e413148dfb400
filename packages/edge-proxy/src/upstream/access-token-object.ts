/**
 * One live bearer token per property and account. Callers at the same time share one login; refused logins are not
 * repeated at once, because the upstream may lock the account.
 */
import type { PropertyStatus } from '@innkeep/core/contract';
import { isInnkeepError } from '@innkeep/core/errors';
import { sha256Hex } from '../http/hash.ts';
import { seal, unseal } from '../http/seal.ts';
import { objectByName, type Placement } from '../objects/object-by-name.ts';
import { PlacedObject } from '../objects/placed-object.ts';
import { type Property, sealingSecretsOf } from '../properties/configured-properties.ts';
import { type PropertyBindings, propertyAnew, propertyOf } from '../properties/properties.ts';
import { telemetryOf } from '../telemetry/telemetry-of.ts';
import {
  NO_TOKEN,
  noteReturnCode,
  noteStart,
  readToken,
  refusesStarts,
  type TokenRecord,
  writeToken,
} from './access-token-storage.ts';
import { accessTokenObjectName, accountOf } from './account-of.ts';
import { loginBackoffMs, renewalMarginMs } from './token-lifetime.ts';
import { failureCode } from './upstream-failure.ts';
import {
  type HealthReport,
  isUnresolved,
  knownDownMs,
  LOGIN_SOURCE,
  noteHealth,
  UNKNOWN_HEALTH,
} from './upstream-health.ts';
import { logFirstReturnCode, logTokenFailure } from './upstream-log.ts';
import { loginToUpstream } from './upstream-options.ts';

/** The answer to a request for a token. `expiresAt` in milliseconds. */
export type TokenAnswer =
  | {
      readonly ok: true;
      readonly token: string;
      readonly expiresAt: number;
      /** Whether the upstream is in doubt, so that successes should be reported. Older versions leave it out. */
      readonly isUnresolved?: boolean;
    }
  /** `code` is one of core's error codes. */
  | { readonly ok: false; readonly code: string };

/** How often a refused login is reported again, so that nobody takes silence for its end. */
const REPORT_AGAIN_MS = 10 * 60_000;

type LiveToken = Pick<TokenRecord, 'expiresAt' | 'renewAt'> & { readonly token: string; readonly account: string };

interface Bindings extends PropertyBindings, Placement {
  readonly ACCESS_TOKENS: DurableObjectNamespace<AccessTokenObject>;
}

/** Keeps the one live access token of a property and account. Its name is made by `accessTokenObjectName`. */
export class AccessTokenObject extends PlacedObject<Bindings> {
  /** Those under way, by account. */
  readonly #logins = new Map<string, Promise<TokenAnswer>>();
  readonly #sql = this.ctx.storage.sql;
  #token: LiveToken | undefined;
  #health = UNKNOWN_HEALTH;
  /** As stored: every payment asks, and a row that is read costs. */
  #refusedStarts: TokenRecord['refusedStarts'];
  readonly #telemetry = telemetryOf(this.env);

  /**
   * The live token; logs in when there is none.
   * @param rejected a token that the upstream has answered with 401: it is dropped if it is still the live one
   * @param traceparent of what the token is for
   * @param account the only one whose token may be given. Older versions leave it out, and get that of the property now
   */
  async getToken(
    propertyId: string,
    rejected: string | null,
    traceparent?: string,
    account?: string,
  ): Promise<TokenAnswer> {
    const property = await this.#find(propertyId, account);
    if (property === undefined) return { ok: false, code: 'configuration' };
    const answer = await this.#getToken(property, rejected, traceparent);
    return answer.ok ? { ...answer, isUnresolved: this.#isUnresolved() } : answer;
  }

  /** Records how a call ended. Returns whether the upstream is in doubt, and the next success should be reported. */
  async reportHealth(report: HealthReport): Promise<boolean> {
    // Another machine's clock may be ahead.
    this.#noteHealth({ ...report, at: Math.min(report.at, Date.now()) });
    return this.#isUnresolved();
  }

  /** Records whether the upstream took the start of a session. Refused ones are stored: at night hours may pass between two. */
  async noteStart(session: string, isTaken: boolean): Promise<void> {
    this.#refusedStarts = noteStart(this.#sql, session, isTaken);
  }

  /** How long the upstream is still known to be down and charges are refused, in milliseconds; 0 when it is not. */
  async knownDownMs(): Promise<number> {
    return knownDownMs(this.#health, Date.now());
  }

  /** What is known of the upstream, without asking it. */
  async upstreamStatus(propertyId: string): Promise<PropertyStatus['upstream']['status']> {
    if (await this.#isLoginRefused(propertyId)) return 'refused';
    if (knownDownMs(this.#health, Date.now()) > 0) return 'down';
    return refusesStarts(readToken(this.#sql)) ? 'refuses_starts' : 'ok';
  }

  /** Reports a login that is still refused. It does not try another one: that could lock the account. */
  protected override async runAlarm(): Promise<void> {
    const property = readToken(this.#sql)?.property;
    if (property !== undefined && (await this.#isLoginRefused(property))) await this.#reportRefused(property);
  }

  /** Logs the code of an answer that was not success, the first time it comes. */
  async noteReturnCode(propertyId: string, returnCode: string): Promise<void> {
    if (!/^[\x21-\x7e]{1,16}$/.test(returnCode)) return;
    if (noteReturnCode(this.#sql, returnCode)) logFirstReturnCode(propertyId, returnCode);
  }

  /** The property, if it has this account: with another one it is read again, since it may be a copy from before the change. */
  async #find(id: string, account: string | undefined): Promise<Property | undefined> {
    const isOther = (found: Property): boolean => account !== undefined && accountOf(found) !== account;
    let found = await propertyOf(this.env, id);
    if (!found.invalid && isOther(found)) found = await propertyAnew(this.env, id);
    return found.invalid || isOther(found) ? undefined : found;
  }

  async #getToken(property: Property, rejected: string | null, traceparent?: string): Promise<TokenAnswer> {
    await this.#restore(property);
    if (this.#token?.token === rejected) this.#drop();
    const now = Date.now();
    const live = this.#tokenOf(property);
    if (live !== undefined && now < live.renewAt) return toAnswer(live);
    const renewed = await this.#singleFlight(property, traceparent);
    // A token that is still valid is better than none while it cannot be renewed.
    return !renewed.ok && live !== undefined && Date.now() < live.expiresAt ? toAnswer(live) : renewed;
  }

  #singleFlight(property: Property, traceparent: string | undefined): Promise<TokenAnswer> {
    const account = accountOf(property);
    let login = this.#logins.get(account);
    if (login === undefined) {
      login = this.#logIn(property, traceparent).finally(() => {
        this.#logins.delete(account);
        this.#telemetry?.flush();
      });
      this.#logins.set(account, login);
      // Others wait for the login too, so it goes on when the first caller hangs up.
      this.ctx.waitUntil(login);
    }
    return login;
  }

  async #logIn(property: Property, traceparent: string | undefined): Promise<TokenAnswer> {
    const credential = await credentialFingerprint(property);
    const row = readToken(this.#sql);
    const waitMs = row?.credential === credential ? row.blockedUntil - Date.now() : 0; // Too long: the clock was set back.
    if (waitMs > 0 && waitMs <= loginBackoffMs(row?.refusals ?? 0)) return { ok: false, code: 'authentication_failed' };
    try {
      const issued = await loginToUpstream(
        property,
        (isUp) => this.#noteHealth({ source: LOGIN_SOURCE, isUp, at: Date.now(), property: property.id }),
        { onEnd: (call) => this.#telemetry?.upstreamCall({ ...call, traceparent }) },
      );
      const token = issued.accessToken.reveal();
      const expiresAt = issued.expiresAt.getTime();
      const renewAt = expiresAt - renewalMarginMs(expiresAt - Date.now(), Math.random());
      const sealed = await seal(token, tokenAad(property), sealingSecretsOf(property));
      const refusedStarts = this.#refusedStarts;
      writeToken(this.#sql, { sealed, expiresAt, renewAt, refusals: 0, blockedUntil: 0, credential, refusedStarts });
      if (row !== undefined && row.refusals > 0) this.#telemetry?.upstreamReport('up', property.id);
      this.#token = { account: accountOf(property), token, expiresAt, renewAt };
      return toAnswer(this.#token);
    } catch (error) {
      const code = isRefusal(error) ? 'authentication_failed' : failureCode(error);
      if (code === 'authentication_failed') {
        const refusals = (row?.credential === credential ? row.refusals : 0) + 1;
        const blockedUntil = Date.now() + loginBackoffMs(refusals);
        const refusedStarts = this.#refusedStarts;
        writeToken(this.#sql, {
          ...NO_TOKEN,
          refusals,
          blockedUntil,
          credential,
          property: property.id,
          refusedStarts,
        });
        await this.#reportRefused(property.id);
      }
      if (code === 'internal') logTokenFailure(property.id, error);
      return { ok: false, code };
    }
  }

  /** Whether a failure was not followed by a success, so that the next success should be reported. */
  #isUnresolved(): boolean {
    return isUnresolved(this.#health) || this.#refusedStarts !== undefined;
  }

  /** Whether the last login was refused, with the account and the password that are configured now. */
  async #isLoginRefused(propertyId: string): Promise<boolean> {
    const property = await propertyOf(this.env, propertyId);
    if (property.invalid || property.isRemoved) return false;
    // The object of an account that the property had before is never called again: nothing would end what it reports.
    const { id } = objectByName(this.env.ACCESS_TOKENS, await accessTokenObjectName(property), this.env);
    if (!id.equals(this.ctx.id)) return false;
    const row = readToken(this.#sql);
    return row !== undefined && row.refusals > 0 && row.credential === (await credentialFingerprint(property));
  }

  async #reportRefused(propertyId: string): Promise<void> {
    if (this.#telemetry === undefined) return;
    this.#telemetry.upstreamReport('refused', propertyId);
    await this.ctx.storage.setAlarm(Date.now() + REPORT_AGAIN_MS);
  }

  #noteHealth(report: HealthReport): void {
    const wasUnresolved = isUnresolved(this.#health);
    this.#health = noteHealth(this.#health, report);
    // An upstream that was up and still is has not changed.
    if (this.#telemetry === undefined || (report.isUp && !wasUnresolved)) return;
    const isDown = knownDownMs(this.#health, Date.now()) > 0;
    const state = isDown ? 'down' : isUnresolved(this.#health) ? 'unresolved' : 'up';
    this.#telemetry.upstreamReport(state, report.property ?? '');
  }

  #tokenOf(property: Property): LiveToken | undefined {
    return this.#token?.account === accountOf(property) ? this.#token : undefined;
  }

  async #restore(property: Property): Promise<void> {
    if (this.#tokenOf(property) !== undefined) return;
    const row = readToken(this.#sql);
    this.#refusedStarts = row?.refusedStarts;
    if (row === undefined || row.sealed === null) return;
    const token = await unseal(row.sealed, tokenAad(property), sealingSecretsOf(property));
    if (token === undefined || this.#tokenOf(property) !== undefined) return;
    this.#token = { account: accountOf(property), token, expiresAt: row.expiresAt, renewAt: row.renewAt };
  }

  #drop(): void {
    this.#token = undefined;
    const record = readToken(this.#sql);
    if (record !== undefined) writeToken(this.#sql, { ...record, ...NO_TOKEN });
  }
}

function toAnswer({ token, expiresAt }: LiveToken): TokenAnswer {
  return { ok: true, token, expiresAt };
}

/** Older versions named only the property: a token that may be another account's is not opened. */
function tokenAad(property: Property): string {
  return `access-token:${accountOf(property)}`;
}

/** Shows whether the password was changed since a login was refused. Reveals no more than the sealed token beside it. */
async function credentialFingerprint(property: Property): Promise<string> {
  const { id, username, password } = property;
  return (await sha256Hex(JSON.stringify(['credential', id, username, password]))).slice(0, 8);
}

/** Any refusal counts against the account, whatever its status: a 401 has a code of its own, 408 and 429 refuse nothing. */
function isRefusal(error: unknown): boolean {
  return isInnkeepError(error, 'upstream_status') && /^4(?!08|29)/.test(`${error.status}`);
}
