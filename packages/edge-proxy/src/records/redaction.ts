/** Redacts a payment that is final, and its reversals with it: they have its reference. */

import { type Outcome, type Refusal, refuse } from '../http/problem.ts';
import type { Actor } from '../properties/actor.ts';
import type { Act } from '../properties/audit-row.ts';
import type { StoredRecord } from './record-row.ts';
import type { RecordStorage } from './record-storage.ts';

/** The object of something that can be redacted, as others call it. */
export interface RedactableObject extends Rpc.DurableObjectBranded {
  /**
   * @param actor who wants it; null: nobody, and the audit records nothing
   * @param payment id of the payment whose reversals are redacted with it: there is none of another one
   * @param before what happened later keeps its words
   */
  redact(property: string, actor: Actor | null, payment?: string, before?: number): Promise<Outcome<object>>;
}

/** The task that redacts the reversals, until each has been. */
export const REDACT_REVERSALS = 'redact';
const RETRY_AFTER_MS = 30_000;

export class Redaction<Stored extends StoredRecord> {
  readonly #store: RecordStorage<Stored, object>;
  readonly #reversal: (id: string) => Pick<RedactableObject, 'redact'>;

  constructor(store: RecordStorage<Stored, object>, reversal: (id: string) => Pick<RedactableObject, 'redact'>) {
    this.#store = store;
    this.#reversal = reversal;
  }

  /** Why it cannot be; undefined once it is. Doing it again changes nothing, but tells the ledger again. */
  async redact({ id, redactedAt }: Stored, isFinal: boolean, act: Act | undefined): Promise<Refusal | undefined> {
    const store = this.#store;
    if (redactedAt !== undefined) {
      // Whoever asks again may have put the ledger back to before it.
      store.transaction(() => store.tellRedaction());
      return undefined;
    }
    if (!isFinal || store.hasHeldShares) {
      const what = isFinal ? 'A reversal of it' : 'It';
      const detail = `${what} is not final: its text is needed until its outcome is certain`;
      return refuse('not_final', { detail, resource: id });
    }
    store.transaction(() => {
      store.redact(act);
      if (store.reservations.length > 0) store.due.set(REDACT_REVERSALS, Date.now() + RETRY_AFTER_MS);
    });
    // What fails now is due later.
    await this.redactReversals().catch(() => undefined);
    return undefined;
  }

  async redactReversals(): Promise<void> {
    const store = this.#store;
    const { property = '', id: payment } = store.load() ?? {};
    for (const { id } of store.reservations) {
      const outcome: Outcome<object> = await this.#reversal(id).redact(property, null, payment);
      // A share that was given up may have none, or one that went on to another payment.
      if (!outcome.ok && outcome.code !== 'not_found') throw new Error(`${id} cannot be redacted: ${outcome.code}`);
    }
    store.due.clear(REDACT_REVERSALS);
    store.due.arm();
  }
}
