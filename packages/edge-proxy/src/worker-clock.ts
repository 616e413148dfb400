/**
 * The deployed Worker with a clock that can be moved, only for tests and development. It stands beside the bundle and imports it
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

/** A class of objects whose storage follows the clock from the start. */
function withClock<Class extends new (ctx: DurableObjectState, env: never) => object>(Base: Class): Class {
  return new Proxy(Base, {
    construct(target, args: [DurableObjectState, ClockBindings], newTarget) {
      followClock(...args);
      return Reflect.construct(target, args, newTarget);
    },
  });
}

export const AccessTokenObject = withClock(proxy.AccessTokenObject);
export const CheckoutSessionObject = withClock(proxy.CheckoutSessionObject);
export const LedgerObject = withClock(proxy.LedgerObject);
export const MoneyOperationObject = withClock(proxy.MoneyOperationObject);
export const PlatformFeedObject = withClock(proxy.PlatformFeedObject);
export const PropertyDirectoryObject = withClock(proxy.PropertyDirectoryObject);
export const PropertyObject = withClock(proxy.PropertyObject);

/** The Worker, and `POST /__clock` with `{ "offsetMs": 3600000 }`. Time never goes back. */
const worker: typeof proxy.default = {
  ...proxy.default,
  async fetch(request, env, ctx) {
    const { CLOCK_TOKEN } = env as ClockBindings;
    begin(env as ClockBindings);
    if (!request.url.endsWith('/__clock') || request.method !== 'POST') {
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
