/** The transitions of a charge or a reversal: each in one commit with its ledger update and what is due next. */
import { waitAtMost } from '../http/deadline.ts';
import { type Actor, isSameAuthor } from '../properties/actor.ts';
import type { Act } from '../properties/audit-row.ts';
import type { Finding } from '../records/resolution.ts';
import { RECORD_RETENTION_MS } from '../records/retention.ts';
import { isFinalMoneyState, isUnderWay, type MoneyEvent, settlementOf } from './money-machine.ts';
import type { MoneyRecord } from './money-record.ts';
import type { MoneyStorage } from './money-storage.ts';
import { WATCHDOG_MS } from './money-timing.ts';
import { type MoneyChange, moneyTransition } from './money-transition.ts';

export class MoneyTransitions {
  readonly #store: MoneyStorage;
  readonly #settleSoon: () => Promise<void>;
  readonly #onUnknown: ((record: MoneyRecord) => void) | undefined;
  /** Resolves once the operation that this instance has written down is no longer under way. */
  #decided: Promise<void> = Promise.resolve();
  #resolveDecided: () => void = () => undefined;

  /**
   * @param settleSoon tells the payment of a reversal how it ended
   * @param hooks.onUnknown called when an outcome has become unknown
   */
  constructor(
    store: MoneyStorage,
    settleSoon: () => Promise<void>,
    { onUnknown }: { readonly onUnknown?: (record: MoneyRecord) => void } = {},
  ) {
    this.#store = store;
    this.#settleSoon = settleSoon;
    this.#onUnknown = onUnknown;
  }

  /** Writes the operation down, to be sent from the alarm. */
  begin(record: MoneyRecord, fingerprint: string): void {
    this.#decided = new Promise((resolve) => {
      this.#resolveDecided = resolve;
    });
    const { due } = this.#store;
    this.#store.transaction(() => {
      this.#store.create(record, fingerprint);
      due.clear('release');
      due.set('send', Date.now());
      due.set('erase', record.createdAt + RECORD_RETENTION_MS);
    });
  }

  /** Applies one event; undefined when it means nothing in this state, and then nothing changed. */
  async apply(event: MoneyEvent, change: MoneyChange, act?: Act): Promise<MoneyRecord | undefined> {
    const next = this.#store.commit(
      (record, now) => moneyTransition(record, event, { now, ...change }),
      (record, now) => {
        const { due } = this.#store;
        due.clear('send');
        if (record.state === 'sent') due.set('watchdog', now + WATCHDOG_MS);
        else due.clear('watchdog');
        if (isSettled(record)) due.set('settle', now);
        if (isFinalMoneyState(record.state)) due.set('erase', now + RECORD_RETENTION_MS);
      },
      act,
    );
    if (next === undefined || isUnderWay(next.state)) return next;
    // No event leads from there to itself.
    if (next.state === 'unknown') this.#onUnknown?.(next);
    if (isSettled(next)) await this.#settleSoon();
    this.#resolveDecided();
    return next;
  }

  /** Ends an unknown outcome with a person's evidence; undefined when there is none to end. */
  resolve(
    { kind, transactionId, madeBy }: MoneyRecord,
    finding: Finding,
    actor: Actor,
  ): Promise<MoneyRecord | undefined> {
    const { status, evidence } = finding;
    const resolution = { ...finding, by: actor.by, at: Date.now() };
    const byAuthor = isSameAuthor(madeBy.by, actor.by);
    const act: Act = { action: `${kind}.resolved`, status, byAuthor, actor };
    return status === 'succeeded'
      ? this.apply(
          'resolved_succeeded',
          { resolution, transactionId: finding.transactionId ?? transactionId, error: null },
          act,
        )
      : this.apply(
          'resolved_failed',
          { resolution, error: { code: 'not_executed', message: `Resolved by hand: ${evidence}` } },
          act,
        );
  }

  /** Waits for the outcome of what this instance has written down, but not beyond an instant. */
  async untilDecided(limit: number): Promise<void> {
    const record = this.#store.load();
    if (record !== undefined && !isUnderWay(record.state)) return;
    await waitAtMost(Math.max(0, limit - Date.now()), this.#decided);
  }
}

function isSettled({ kind, state }: MoneyRecord): boolean {
  return kind === 'reversal' && settlementOf(state) !== undefined;
}
