/** Redacts the payments whose words are older than the hotel keeps them, some at a time. */

import type { Outcome } from '../http/problem.ts';
import { objectByName, type Placement } from '../objects/object-by-name.ts';
import type { RedactableObject } from '../records/redaction.ts';
import { KINDS } from './ledger-storage.ts';
import { indexOf } from './ledger-tables.ts';

/** Where what can be redacted is. */
export interface RedactableBindings extends Placement {
  readonly CHECKOUT_SESSIONS: DurableObjectNamespace<RedactableObject>;
  readonly MONEY_OPERATIONS: DurableObjectNamespace<RedactableObject>;
}

/** One alarm may call no more objects. */
const BATCH = 200;
const AT_ONCE = 10;

type Place = readonly [reference: string, createdAt: number, id: string];
const START: Place = ['', 0, ''];

export class WordRetention {
  readonly #sql: SqlStorage;
  readonly #env: RedactableBindings;
  /** How far the pass has come. What could not be redacted is met again by the next one. */
  #kind = 0;
  #place = START;
  #running: Promise<boolean> | undefined;

  constructor(sql: SqlStorage, env: RedactableBindings) {
    this.#sql = sql;
    this.#env = env;
  }

  /** Redacts a batch of what was made and completed before an instant; true when there may be more. Never rejects. */
  redact(property: string, before: number): Promise<boolean> {
    this.#running ??= this.#redact(property, before).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #redact(property: string, before: number): Promise<boolean> {
    const kind = KINDS[this.#kind] ?? KINDS[0];
    const rows = this.#next(kind, before);
    const namespace = kind === 'checkout_session' ? this.#env.CHECKOUT_SESSIONS : this.#env.MONEY_OPERATIONS;
    const waiting = rows.values();
    let failed = 0;
    const work = async (): Promise<void> => {
      for (const { id } of waiting) {
        // One that is not final keeps its words until it is.
        const outcome = objectByName(namespace, id, this.#env).redact(property, null, undefined, before) as Promise<
          Outcome<object>
        >;
        await outcome.catch(() => (failed += 1));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (failed > 0) console.warn(JSON.stringify({ level: 'warn', message: 'words_not_erased', property, failed }));
    const last = rows.at(-1);
    const isEnd = rows.length < BATCH || last === undefined;
    this.#place = isEnd ? START : [last.reference, last.createdAt, last.id];
    if (isEnd) this.#kind = (this.#kind + 1) % KINDS.length;
    return !isEnd || this.#kind !== 0;
  }

  /** What has words is together in this index; what has none is not read. */
  #next(
    kind: string,
    before: number,
  ): { readonly id: string; readonly reference: string; readonly createdAt: number }[] {
    return this.#sql
      .exec<{ id: string; reference: string; createdAt: number }>(
        `SELECT id, reference, created_at AS createdAt FROM resource INDEXED BY ${indexOf(['reference'], 'created_at')}
         WHERE kind = ? AND (reference, created_at, id) > (?, ?, ?) AND created_at < ?
           AND (completed_at IS NULL OR completed_at < ?) ORDER BY reference, created_at, id LIMIT ${BATCH}`,
        kind,
        ...this.#place,
        before,
        new Date(before).toISOString(),
      )
      .toArray();
  }
}
