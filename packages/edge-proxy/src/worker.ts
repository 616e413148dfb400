/** The worker: the app for this environment, and the objects. With `worker-moto.ts` the only file that names the runtime. */
import { createApp, type Dependencies } from './app.ts';
import { describeBroken } from './config/properties.ts';
import { propertiesOf, publicUrlOf } from './config/settings.ts';
import type { Bindings } from './stores/bindings.ts';
import { createCheckoutSessions } from './stores/checkout-sessions.ts';
import { createLedgers } from './stores/ledgers.ts';
import { createMoneyOperations } from './stores/money-operations.ts';
import { createRateLimits } from './stores/rate-limits.ts';
import { VERSION } from './version.ts';

export { AccessTokenObject } from './durable-objects/access-token-object.ts';
export { CheckoutSessionObject } from './durable-objects/checkout-session-object.ts';
export { LedgerObject } from './durable-objects/ledger-object.ts';
export { MoneyOperationObject } from './durable-objects/money-operation-object.ts';

type App = ReturnType<typeof createApp>;

const apps = new WeakMap<Bindings, App>();

const worker: ExportedHandler<Bindings> = {
  fetch(request, env) {
    let app = apps.get(env);
    if (app === undefined) {
      app = createApp(toDependencies(env));
      apps.set(env, app);
    }
    return app.fetch(request);
  },
};
export default worker;

function toDependencies(env: Bindings): Dependencies {
  const properties = propertiesOf(env);
  for (const property of properties.all) {
    if (property.broken) log({ level: 'error', message: 'property_unavailable', complaint: describeBroken(property) });
  }
  // Not Date.now itself: a test's clock replaces Date after this was set up.
  const now = (): number => Date.now();
  return {
    properties,
    publicUrl: (requestUrl) => publicUrlOf(env, requestUrl),
    sessions: createCheckoutSessions(env),
    operations: createMoneyOperations(env),
    ledgers: createLedgers(env),
    allow: createRateLimits(env),
    readFile: (path) => env.ASSETS.fetch(new Request(new URL(path, 'https://assets.invalid'))),
    now,
    log,
    version: VERSION,
  };
}

function log(line: Readonly<Record<string, unknown>>): void {
  console.log(JSON.stringify(line));
}
