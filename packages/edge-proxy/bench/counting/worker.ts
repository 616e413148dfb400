/** The product with its storage counted: rows written and alarms, read at `/__counters`. */

import type { Bindings } from '../../src/rpc/bindings.ts';
import product, {
  AccessTokenObject as AccessTokens,
  CheckoutSessionObject as CheckoutSessions,
  IdKeyObject,
  LedgerObject as Ledgers,
  MoneyOperationObject,
} from '../../src/worker.ts';

export { IdKeyObject, MoneyOperationObject };

const counters = { alarms: 0, rowsWritten: 0 };
let isPatched = false;

/** Patches the storage's prototypes once; every object of the isolate shares them. */
function count({ storage }: DurableObjectState): void {
  if (isPatched) return;
  isPatched = true;
  const sql = Object.getPrototypeOf(storage.sql) as SqlStorage;
  const { exec } = sql;
  sql.exec = function (this: SqlStorage, ...args: Parameters<typeof exec>) {
    const cursor = exec.apply(this, args);
    counters.rowsWritten += cursor.rowsWritten;
    return cursor;
  } as typeof exec;
  const prototype = Object.getPrototypeOf(storage) as DurableObjectStorage;
  const { setAlarm } = prototype;
  prototype.setAlarm = function (this: DurableObjectStorage, ...args: Parameters<typeof setAlarm>) {
    // The price list counts a row for every alarm that is set.
    counters.rowsWritten += 1;
    return setAlarm.apply(this, args);
  };
}

/** Counted. */
export class AccessTokenObject extends AccessTokens {
  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env);
    count(ctx);
  }
}

/** Counted. */
export class CheckoutSessionObject extends CheckoutSessions {
  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env);
    count(ctx);
  }
  override async alarm(): Promise<void> {
    counters.alarms += 1;
    await super.alarm();
  }
}

/** Counted. */
export class LedgerObject extends Ledgers {
  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env);
    count(ctx);
  }
  override async alarm(): Promise<void> {
    counters.alarms += 1;
    await super.alarm();
  }
}

const worker: ExportedHandler<Bindings> = {
  fetch: (request, env, ctx) =>
    new URL(request.url).pathname === '/__counters'
      ? Response.json(counters)
      : (product.fetch?.(request, env, ctx) ?? new Response(null, { status: 500 })),
};
export default worker;
