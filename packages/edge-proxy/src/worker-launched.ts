/**
 * The deployed Worker as `innkeep-proxy` runs it. At a stop the runtime lets requests end, but no alarms, and all charges and reversals
 * are sent from one: here a request of the launcher lasts as long as they do. A folder, unlike Cloudflare's storage, can have lost
 * single objects, and all hotels share one thread. It stands beside the bundle and imports it as it is: nothing of this file is in what is deployed.
 *
 * One file on purpose: the runtime is given it and the bundle, and no other module.
 */
import * as proxy from './worker.ts';

export {
  AccessTokenObject,
  IdKeyObject,
  PlatformFeedObject,
  PropertyDirectoryObject,
  PropertyObject,
} from './worker.ts';

interface StopBindings {
  /** What the launcher's request must know: made at each start. */
  readonly STOP_KEY?: string;
}

/** Longer than a stop takes. */
const NEVER_MS = 24 * 60 * 60_000;
const LOOK_EVERY_MS = 20;

const encoder = new TextEncoder();
// The worker and all its objects live in one isolate here, so they share these.
let isStopping = false;
let alarmsUnderWay = 0;

/**
 * Refuses to make what the ledger knows already: a copy of the folder of a running proxy has the ledger and lacks some objects, and
 * made anew they would take the money again.
 */
async function refuseLost(
  { storage }: DurableObjectState,
  { LEDGERS }: { readonly LEDGERS: DurableObjectNamespace<proxy.LedgerObject> },
  { id, property }: { readonly id: string; readonly property: string },
): Promise<void> {
  const isMade = (): boolean =>
    storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'object'").toArray().length > 0;
  if (isMade()) return;
  // Without its ledger, nobody knows of it. Another call may make it meanwhile.
  const isKnown = await LEDGERS.getByName(property)
    .has(id)
    .catch(() => false);
  if (isKnown && !isMade())
    throw new Error(`${id} is in the ledger, and its file is lost: restore it. Another key could take the money again`);
}

export class CheckoutSessionObject extends proxy.CheckoutSessionObject {
  override async create(...args: Parameters<proxy.CheckoutSessionObject['create']>) {
    await refuseLost(this.ctx, this.env, args[0]);
    return super.create(...args);
  }

  override async ensure(...args: Parameters<proxy.CheckoutSessionObject['ensure']>) {
    await refuseLost(this.ctx, this.env, args[0]);
    return super.ensure(...args);
  }
}

export class MoneyOperationObject extends proxy.MoneyOperationObject {
  override async charge(...args: Parameters<proxy.MoneyOperationObject['charge']>) {
    await refuseLost(this.ctx, this.env, args[0]);
    return super.charge(...args);
  }

  override async reverse(...args: Parameters<proxy.MoneyOperationObject['reverse']>) {
    await refuseLost(this.ctx, this.env, args[0]);
    return super.reverse(...args);
  }

  override async alarm(info?: AlarmInvocationInfo): Promise<void> {
    // What is not sent yet would be cut off. An alarm that has not ended comes again after the next start.
    if (isStopping) return scheduler.wait(NEVER_MS);
    alarmsUnderWay += 1;
    try {
      await super.alarm(info);
    } finally {
      alarmsUnderWay -= 1;
    }
  }
}

/** Gives out pages one at a time: whoever asks for many at once waits, and not everybody else on this thread. */
export class LedgerObject extends proxy.LedgerObject {
  #turn: Promise<unknown> = Promise.resolve();

  override list(...args: Parameters<proxy.LedgerObject['list']>) {
    return this.#inTurn(() => super.list(...args));
  }

  override range(...args: Parameters<proxy.LedgerObject['range']>) {
    return this.#inTurn(() => super.range(...args));
  }

  override paidSessions(...args: Parameters<proxy.LedgerObject['paidSessions']>) {
    return this.#inTurn(() => super.paidSessions(...args));
  }

  override payments(...args: Parameters<proxy.LedgerObject['payments']>) {
    return this.#inTurn(() => super.payments(...args));
  }

  override searchPayments(...args: Parameters<proxy.LedgerObject['searchPayments']>) {
    return this.#inTurn(() => super.searchPayments(...args));
  }

  override audit(...args: Parameters<proxy.LedgerObject['audit']>) {
    return this.#inTurn(() => super.audit(...args));
  }

  override events(...args: Parameters<proxy.LedgerObject['events']>) {
    return this.#inTurn(() => super.events(...args));
  }

  #inTurn<Page>(read: () => Promise<Page>): Promise<Page> {
    const page = this.#turn.then(read);
    const letOthersIn = (): Promise<void> => scheduler.wait(0);
    this.#turn = page.then(letOthersIn, letOthersIn);
    return page;
  }
}

/** The Worker, and `POST /__stop` for its launcher. */
const worker: typeof proxy.default = {
  ...proxy.default,
  fetch(request, env, ctx) {
    return isFromLauncher(request, env as StopBindings) ? stop() : proxy.default.fetch(request, env, ctx);
  },
};
export default worker;

function isFromLauncher({ method, url, headers }: Request, { STOP_KEY }: StopBindings): boolean {
  if (method !== 'POST' || !url.endsWith('/__stop') || STOP_KEY === undefined) return false;
  const given = encoder.encode(headers.get('authorization') ?? '');
  const key = encoder.encode(`Bearer ${STOP_KEY}`);
  return given.byteLength === key.byteLength && crypto.subtle.timingSafeEqual(given, key);
}

/** Lets no further charge or reversal begin. The answer begins at once, and ends with the last one under way. */
function stop(): Response {
  isStopping = true;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(encoder.encode('stopping\n'));
      while (alarmsUnderWay > 0) await scheduler.wait(LOOK_EVERY_MS);
      controller.close();
    },
  });
  return new Response(body);
}
