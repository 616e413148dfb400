/**
 * The deployed Worker with a clock that can be moved, for tests and development alone. It stands beside the bundle and imports it
 * as it is: nothing of this file is in what is deployed. The launcher runs it when it is asked for a clock.
 *
 * One file on purpose: the runtime is given it and the bundle, and no other module.
 */
import * as proxy from './worker.ts';

export { IdKeyObject } from './worker.ts';

interface ClockBindings {
  /** How far the clock stands ahead when the runtime starts, in milliseconds. */
  readonly CLOCK_OFFSET_MS?: string;
  /** What a call that moves the clock must know. */
  readonly CLOCK_TOKEN?: string;
}

// How soon an object notices that time was moved.
const POLL_EVERY_MS = 1_000;

const RealDate = Date;
// The worker and all its objects live in one isolate here, so they share it.
let offsetMs: number | undefined;

const now = (): number => RealDate.now() + (offsetMs ?? 0);

// Not a subclass: what other realms make must stay an instance of Date.
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args) => (args.length === 0 ? new target(now()) : Reflect.construct(target, args)),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});

function begin({ CLOCK_OFFSET_MS }: ClockBindings): void {
  offsetMs ??= Number(CLOCK_OFFSET_MS ?? 0);
}

/** An alarm that is far away looks every second whether its time has come: nobody else knows which objects wait. */
function followClock({ storage }: DurableObjectState, env: ClockBindings): void {
  begin(env);
  const setAlarm = storage.setAlarm.bind(storage);
  Object.defineProperty(storage, 'setAlarm', {
    value: (at: number | Date, options?: DurableObjectSetAlarmOptions) =>
      setAlarm(Math.min(Number(at) - (offsetMs ?? 0), RealDate.now() + POLL_EVERY_MS), options),
  });
}

/** {@link proxy.AccessTokenObject} */
export class AccessTokenObject extends proxy.AccessTokenObject {
  constructor(ctx: DurableObjectState, env: ConstructorParameters<typeof proxy.AccessTokenObject>[1]) {
    followClock(ctx, env as ClockBindings);
    super(ctx, env);
  }
}

/** {@link proxy.CheckoutSessionObject} */
export class CheckoutSessionObject extends proxy.CheckoutSessionObject {
  constructor(ctx: DurableObjectState, env: ConstructorParameters<typeof proxy.CheckoutSessionObject>[1]) {
    followClock(ctx, env as ClockBindings);
    super(ctx, env);
  }
}

/** {@link proxy.LedgerObject} */
export class LedgerObject extends proxy.LedgerObject {
  constructor(ctx: DurableObjectState, env: ConstructorParameters<typeof proxy.LedgerObject>[1]) {
    followClock(ctx, env as ClockBindings);
    super(ctx, env);
  }
}

/** {@link proxy.MoneyOperationObject} */
export class MoneyOperationObject extends proxy.MoneyOperationObject {
  constructor(ctx: DurableObjectState, env: ConstructorParameters<typeof proxy.MoneyOperationObject>[1]) {
    followClock(ctx, env as ClockBindings);
    super(ctx, env);
  }
}

/** {@link proxy.PlatformFeedObject} */
export class PlatformFeedObject extends proxy.PlatformFeedObject {
  constructor(ctx: DurableObjectState, env: ConstructorParameters<typeof proxy.PlatformFeedObject>[1]) {
    followClock(ctx, env as ClockBindings);
    super(ctx, env);
  }
}

/** {@link proxy.PropertyDirectoryObject} */
export class PropertyDirectoryObject extends proxy.PropertyDirectoryObject {
  constructor(ctx: DurableObjectState, env: ConstructorParameters<typeof proxy.PropertyDirectoryObject>[1]) {
    followClock(ctx, env as ClockBindings);
    super(ctx, env);
  }
}

/** {@link proxy.PropertyObject} */
export class PropertyObject extends proxy.PropertyObject {
  constructor(ctx: DurableObjectState, env: ConstructorParameters<typeof proxy.PropertyObject>[1]) {
    followClock(ctx, env as ClockBindings);
    super(ctx, env);
  }
}

/** The Worker, and `POST /__clock` with `{ "offsetMs": 3600000 }`. Time never goes back. */
const worker: typeof proxy.default = {
  ...proxy.default,
  async fetch(request, env, ctx) {
    const { CLOCK_TOKEN } = env as ClockBindings;
    begin(env as ClockBindings);
    if (new URL(request.url).pathname !== '/__clock' || request.method !== 'POST') {
      return proxy.default.fetch(request, env, ctx);
    }
    const isKnown = CLOCK_TOKEN !== undefined && request.headers.get('authorization') === `Bearer ${CLOCK_TOKEN}`;
    if (!isKnown) return new Response(null, { status: 401 });
    const { offsetMs: wanted } = await request.json<{ readonly offsetMs?: unknown }>();
    if (typeof wanted !== 'number' || !(wanted >= (offsetMs ?? 0))) return new Response(null, { status: 400 });
    offsetMs = wanted;
    return Response.json({ now: new Date().toISOString() });
  },
};
export default worker;
