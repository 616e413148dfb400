/** The one call of a charge or a reversal: written down as sent before it leaves, and never made twice. */

import { orTimeout } from '../http/deadline.ts';
import { unseal } from '../http/seal.ts';
import { type InvalidProperty, type Property, sealingSecretsOf } from '../properties/configured-properties.ts';
import { type PropertyBindings, propertyAnew, propertyOf } from '../properties/properties.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { type AccessTokenBindings, accessTokenSource } from '../upstream/access-token-source.ts';
import { failureCode } from '../upstream/upstream-failure.ts';
import { sendMoney } from './money-calls.ts';
import type { MoneyEvent } from './money-machine.ts';
import { ABANDONED, type MoneyFailure, noAccessToken, refusedBy } from './money-outcome.ts';
import type { MoneyRecord } from './money-record.ts';
import type { MoneyStorage } from './money-storage.ts';
import { CREATED_LIMIT_MS, TOKEN_LIMIT_MS } from './money-timing.ts';
import type { MoneyChange } from './money-transition.ts';

export interface SenderHost {
  readonly bindings: PropertyBindings & AccessTokenBindings;
  readonly store: MoneyStorage;
  readonly apply: (event: MoneyEvent, change: MoneyChange) => Promise<MoneyRecord | undefined>;
  readonly telemetry?: Telemetry | undefined;
}

export class MoneySender {
  readonly #host: SenderHost;
  #sending: Promise<void> | undefined;

  constructor(host: SenderHost) {
    this.#host = host;
  }

  /** Whether this instance is making the call. Otherwise nobody will ever read the answer to what is `sent`. */
  get isSending(): boolean {
    return this.#sending !== undefined;
  }

  /**
   * Sends what was not sent yet. Whoever asks meanwhile waits for the same call.
   * @param traceparent of the request that asked for the operation
   */
  send(traceparent?: string): Promise<void> {
    this.#sending ??= this.#sendOnce(traceparent).finally(() => {
      this.#sending = undefined;
      this.#host.telemetry?.flush();
    });
    return this.#sending;
  }

  async #sendOnce(traceparent: string | undefined): Promise<void> {
    const { bindings, store, apply } = this.#host;
    const refuse = async ({ error }: MoneyFailure): Promise<void> => void (await apply('not_executed', { error }));
    const record = store.load();
    if (record?.state !== 'created') return store.due.clear('send');
    let property = await propertyOf(bindings, record.property);
    const isOther = !property.invalid && refusedBy(property, record) !== undefined;
    let reason = isOther ? 'configuration' : await this.#missingToken(property, traceparent);
    if (reason === 'configuration') {
      // It may be a copy that is older than what the operation was made with.
      property = await propertyAnew(bindings, record.property);
      reason = await this.#missingToken(property, traceparent);
    }
    if (property.invalid || reason !== undefined) return refuse(noAccessToken(reason ?? 'configuration'));
    const cardToken = await openCardToken(record, property);
    // After a clock went back nobody can tell how old it is.
    const ageMs = Math.abs(Date.now() - record.createdAt);
    if (cardToken === undefined || ageMs > CREATED_LIMIT_MS) return refuse(ABANDONED);
    // Nothing is awaited from here until it is called sent, and it is sent with this very configuration.
    const refusal = refusedBy(property, record);
    if (refusal !== undefined) return refuse(refusal);
    const sent = await apply('handed_over', {});
    if (sent === undefined) return;
    await store.sync();
    const { event, ...change } = await sendMoney(bindings, property, { record: sent, cardToken, traceparent });
    await apply(event, change);
  }

  /** Gets the access token before anything is called sent; answers with the reason when there is none. */
  async #missingToken(
    property: Property | InvalidProperty,
    traceparent: string | undefined,
  ): Promise<string | undefined> {
    if (property.invalid) return 'configuration';
    try {
      await orTimeout(TOKEN_LIMIT_MS, accessTokenSource(this.#host.bindings, property, traceparent)({}));
      return undefined;
    } catch (error) {
      return failureCode(error);
    }
  }
}

/** The token of a charge's card, undefined when it cannot be opened; a reversal needs none. */
async function openCardToken(record: MoneyRecord, property: Property): Promise<string | undefined> {
  if (record.kind === 'reversal') return '';
  if (record.sealedToken === null) return undefined;
  return unseal(record.sealedToken, chargeTokenAad(record), sealingSecretsOf(property));
}

/** What a charge's card token is sealed for. */
export function chargeTokenAad(charge: { readonly property: string; readonly id: string }): string {
  return `charge-token:${charge.property}:${charge.id}`;
}
