/** Goes through the payments that are older than their hotel keeps them, some at a time. Their words are erased first, they themselves later. */

import { log } from '../http/log.ts';
import { objectByName, type Placement } from '../objects/object-by-name.ts';
import type { RedactableObject } from '../records/redaction.ts';
import { KINDS } from './ledger-storage.ts';
import { indexOf } from './ledger-tables.ts';

interface KeptObject extends RedactableObject {
  /** Erases itself if it happened before an instant and is not needed any more. True when it is gone. */
  eraseIfOver(before: number): Promise<boolean>;
}

/** Where payments are. */
export interface KeptBindings extends Placement {
  readonly CHECKOUT_SESSIONS: DurableObjectNamespace<KeptObject>;
  readonly MONEY_OPERATIONS: DurableObjectNamespace<KeptObject>;
}

/** How many objects one alarm may call. */
const BATCH = 200;
const AT_ONCE = 10;

interface Duty {
  /** The columns of an index over those that it is about. */
  readonly by: readonly ['reference', 'created_at', 'id'] | readonly ['created_at', 'id'];
  /** What is done with each. */
  act(
    object: DurableObjectStub<KeptObject>,
    old: OldPayment,
    asked: { property: string; before: number },
  ): Promise<unknown>;
  /** What the log says of those that fail. */
  readonly failure: string;
}

interface OldPayment {
  readonly id: string;
  readonly createdAt: number;
}

/** What is done with old payments. */
class OldPayments {
  readonly #env: KeptBindings;
  readonly #sql: SqlStorage;
  readonly #duty: Duty;
  /** How far the pass has come. The next pass tries again what could not be done. */
  #kind = 0;
  #place: readonly SqlStorageValue[] | undefined;
  #running: Promise<boolean> | undefined;

  constructor(env: KeptBindings, sql: SqlStorage, duty: Duty) {
    this.#env = env;
    this.#sql = sql;
    this.#duty = duty;
  }

  /** Goes through a batch of what was made and completed before an instant; true when there may be more. */
  pass(property: string, before: number): Promise<boolean> {
    this.#running ??= this.#pass(property, before).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #pass(property: string, before: number): Promise<boolean> {
    let left = BATCH;
    let failed = 0;
    let isMore = true;
    while (left > 0 && isMore) {
      const kind = KINDS[this.#kind] ?? KINDS[0];
      const namespace = kind === 'checkout_session' ? this.#env.CHECKOUT_SESSIONS : this.#env.MONEY_OPERATIONS;
      const rows = this.#next(kind, before, left);
      const waiting = rows.values();
      const work = async (): Promise<void> => {
        for (const row of waiting) {
          const [createdAt, id] = row.slice(-2) as [number, string];
          const object = objectByName(namespace, id, this.#env);
          await this.#duty.act(object, { id, createdAt }, { property, before }).catch(() => (failed += 1));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      this.#place = rows.at(-1);
      if (rows.length < left) {
        this.#place = undefined;
        this.#kind = (this.#kind + 1) % KINDS.length;
        isMore = this.#kind > 0;
      }
      left -= rows.length;
    }
    if (failed > 0) log('warn', this.#duty.failure, { property, failed });
    return isMore;
  }

  #next(kind: string, before: number, limit: number): SqlStorageValue[][] {
    const { by } = this.#duty;
    const cursor = this.#sql.exec(
      `SELECT ${by} FROM resource INDEXED BY ${indexOf(by.length === 3 ? ['reference'] : [], 'created_at')}
       WHERE kind = ? AND (${by}) > (${by.map(() => '?')}) AND created_at < ?
         AND coalesce(completed_at, '') < ? ORDER BY ${by} LIMIT ?`,
      kind,
      ...(this.#place ?? by.map((column) => (column === 'created_at' ? 0 : ''))),
      before,
      new Date(before).toISOString(),
      limit,
    );
    return [...cursor.raw()];
  }
}

/** Erases the words of what has any. One that is not final keeps them until it is. */
export function eraseWords(env: KeptBindings, sql: SqlStorage): OldPayments {
  return new OldPayments(env, sql, {
    by: ['reference', 'created_at', 'id'],
    act: (object, _old, { property, before }) => object.redact(property, null, undefined, before),
    failure: 'words_not_erased',
  });
}

/** Has their objects erase themselves: each knows whether it is needed for longer. */
export function erasePayments(env: KeptBindings, sql: SqlStorage, forget: (old: OldPayment) => void): OldPayments {
  return new OldPayments(env, sql, {
    by: ['created_at', 'id'],
    act: async (object, old, { before }) => {
      if (await object.eraseIfOver(before)) forget(old);
    },
    failure: 'payments_not_erased',
  });
}
