/** Makes a session, or finds the one that an earlier request has made, with the client secret that both answer. */
import type { CreatedCheckoutSession } from '@innkeep/core/contract';
import { keyMismatch } from '../http/idempotency.ts';
import { type Outcome, ok, type Refusal, refuse } from '../http/problem.ts';
import type { IdKeyBindings } from '../ledger/tagged-ids.ts';
import { type PropertyBindings, propertyOf } from '../properties/properties.ts';
import { KEY_OF_OTHER_MODE } from '../records/other-mode.ts';
import { toPropertyRefusal } from '../upstream/upstream-failure.ts';
import { ClientSecrets } from './client-secrets.ts';
import type { SessionAttempts } from './session-attempts.ts';
import { bringUpToDate, type EnsureOptions } from './session-of-key.ts';
import type { SecretRequest } from './session-page.ts';
import {
  isOfMode,
  type NewSession,
  newRecord,
  type SessionRecord,
  sameTerms,
  shownTerms,
  toMerchantSession,
} from './session-record.ts';
import type { SessionStorage } from './session-storage.ts';
import type { SessionTransitions } from './session-transitions.ts';
import { merchantView } from './session-views.ts';

/** The answer to a request for a session. */
export interface CreatedSession {
  readonly session: CreatedCheckoutSession;
  /** True when an earlier request with the same key made it. */
  readonly isReplay: boolean;
}

/** The answer to a request for the session of a key. */
export interface EnsuredSession {
  readonly session: CreatedCheckoutSession;
  /** Whether this call made it. */
  readonly isNew: boolean;
}

/** The answer to a request for its client secret. */
export interface IssuedSecret {
  readonly clientSecret: string;
  /** Whether an earlier call with the same key has ended the secret before it. */
  readonly isReplay: boolean;
}

interface Parts {
  readonly env: PropertyBindings & IdKeyBindings;
  readonly store: SessionStorage;
  readonly transitions: SessionTransitions;
  readonly attempts: SessionAttempts;
}

/** The beginning of one session. */
export class SessionCreation {
  readonly #env: Parts['env'];
  readonly #store: SessionStorage;
  readonly #transitions: SessionTransitions;
  readonly #attempts: SessionAttempts;
  readonly #secrets: ClientSecrets;

  constructor({ env, store, transitions, attempts }: Parts) {
    this.#env = env;
    this.#store = store;
    this.#transitions = transitions;
    this.#attempts = attempts;
    this.#secrets = new ClientSecrets(env, store);
  }

  /** Creates the session, or returns the one that the same request made before. */
  async create(session: NewSession, fingerprint: string): Promise<Outcome<CreatedSession>> {
    const record = newRecord(session);
    const property = await propertyOf(this.#env, session.property);
    if (property.invalid) return toPropertyRefusal(property);
    const { text: clientSecret, kept: secret } = await this.#secrets.first(record, property);
    // Nothing is awaited from here on, so of two calls at the same time one makes it.
    this.#store.prepare();
    const existing = this.#store.load();
    if (existing !== undefined) return this.#replay(existing, fingerprint, session.livemode);
    this.#transitions.begin(record, { fingerprint, secret });
    const made = { ...toMerchantSession(record, () => null), clientSecret };
    return ok({ session: made, isReplay: false });
  }

  /** What the same request made before; null when it made nothing. `livemode`: of the property now. */
  async replay(fingerprint: string, livemode?: boolean): Promise<Outcome<CreatedSession | null>> {
    const existing = this.#store.load();
    return existing === undefined ? ok(null) : this.#replay(existing, fingerprint, livemode);
  }

  /** The one session of a key: made, brought up to date, reopened, or left as it is while somebody pays it or may have. */
  async ensure(wanted: NewSession, options: EnsureOptions): Promise<Outcome<EnsuredSession>> {
    if (this.#store.load() === undefined) {
      if (options.refusal !== undefined) return refuse('invalid_request', options.refusal);
      const created = await this.create(wanted, '');
      if (!created.ok) return created;
      if (!created.value.isReplay) return ok({ session: created.value.session, isNew: true });
    }
    const refusal = await bringUpToDate(
      {
        store: this.#store,
        transitions: this.#transitions,
        attempts: this.#attempts,
        endSecrets: (record) => this.#endSecrets(record),
      },
      wanted,
      options,
    );
    return refusal ?? this.#ensured(wanted);
  }

  /** Ends the client secret of a session that somebody has ended, once. Returns why not, if it cannot. */
  async #endSecrets(record: SessionRecord): Promise<Refusal | undefined> {
    const issued = await this.issue(record, { rotate: true, key: `opened anew ${this.#store.renewals}` });
    return issued.ok ? undefined : issued;
  }

  /** What a call for the session of a key answers. */
  async #ensured(wanted: NewSession): Promise<Outcome<EnsuredSession>> {
    const record = this.#store.load() ?? newRecord(wanted);
    const issued = await this.issue(record);
    if (!issued.ok) return issued;
    const view = await merchantView(this.#env, record);
    const outdated = view.outdated || !sameTerms(shownTerms(record), wanted.terms);
    const { clientSecret } = issued.value;
    return ok({ session: { ...view, outdated, clientSecret }, isNew: false });
  }

  async #replay(
    existing: SessionRecord,
    fingerprint: string,
    livemode: boolean | undefined,
  ): Promise<Outcome<CreatedSession>> {
    const refusal = this.#store.refuseOther(existing, fingerprint);
    if (refusal !== undefined) return refusal;
    if (!isOfMode(existing, livemode ?? existing.livemode)) {
      return keyMismatch(existing.id, KEY_OF_OTHER_MODE);
    }
    const issued = await this.issue(existing);
    if (!issued.ok) return issued;
    const { clientSecret } = issued.value;
    return ok({ session: { ...(await merchantView(this.#env, existing)), clientSecret }, isReplay: true });
  }

  /** Its client secret: the one that is live, or a new one. */
  async issue(record: SessionRecord, request?: SecretRequest): Promise<Outcome<IssuedSecret>> {
    const property = await propertyOf(this.#env, record.property);
    if (property.invalid) return toPropertyRefusal(property);
    return ok(await this.#secrets.issue(record, property, request));
  }
}
