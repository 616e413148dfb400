/** From a deployment's bindings to an app that answers; both worker entries are made here. */

import { env, waitUntil } from 'cloudflare:workers';
import { clientAddress } from '../http/client-address.ts';
import { createRateLimits } from '../http/rate-limits.ts';
import { platformFeed } from '../ledger/platform-feeds.ts';
import { createTaggedIds } from '../ledger/tagged-ids.ts';
import { complainOfJurisdiction } from '../objects/jurisdiction.ts';
import { objectByName } from '../objects/object-by-name.ts';
import { describeInvalid, sealingKeysOf } from '../properties/configured-properties.ts';
import { routedPath } from '../properties/desk-cookie.ts';
import { createKeyUses } from '../properties/key-uses.ts';
import { platformsOf } from '../properties/platforms.ts';
import { propertiesOf } from '../properties/properties.ts';
import { createPropertyDirectory } from '../properties/property-directory.ts';
import { publicUrlOf } from '../properties/settings.ts';
import { fingerprintOfKeys, resealCards } from '../sessions/card-sealing.ts';
import type { RequestTrace } from '../telemetry/request-trace.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { loadTelemetry, telemetryOf } from '../telemetry/telemetry-of.ts';
import { VERSION } from '../telemetry/version.ts';
import { accessTokenObject } from '../upstream/access-token-source.ts';
import { createApp, type Dependencies, isPage, type ObjectCalls, type Resources } from './app.ts';
import type { Bindings } from './bindings.ts';
import { isOfBackOffice, PAYMENT_RESOURCES } from './payment-resources.ts';

type App = ReturnType<typeof createApp>;

/** What serves the requests of an environment. */
interface Served {
  readonly appOf: (request: Request) => App | Promise<App>;
  readonly telemetry: Telemetry | undefined;
}

// The runtime waits for it before it serves anything.
await loadTelemetry({ ...env });

/** A Worker's default export. */
export interface ProxyWorker {
  readonly fetch: ExportedHandlerFetchHandler<Bindings>;
  readonly connect: ExportedHandlerConnectHandler<Bindings>;
}

/** The Worker's handlers. `more` is what an entry has beyond the default resources. */
export function createWorker(more?: (env: Bindings) => Resources): ProxyWorker {
  const known = new WeakMap<Bindings, Served>();
  return {
    fetch(request, env, ctx) {
      let served = known.get(env);
      if (served === undefined) {
        served = { appOf: createApps(toDependencies(env), more?.(env)), telemetry: telemetryOf(env) };
        known.set(env, served);
      }
      const { appOf, telemetry } = served;
      const app = appOf(request);
      const answer = app instanceof Promise ? app.then((loaded) => loaded.fetch(request)) : app.fetch(request);
      if (telemetry !== undefined) {
        const waitUntil = (work: Promise<unknown>): void => ctx.waitUntil(work);
        waitUntil(Promise.resolve(answer).then(() => telemetry.flush(waitUntil, { isWaitedFor: true })));
      }
      return answer;
    },
    // Without this a CONNECT is an uncaught error of the runtime.
    connect: (socket) => socket.close(),
  };
}

/** What is loaded when it is first called. */
const LATER = [
  { isAt: isOfBackOffice, load: async () => (await import('./back-office-resources.ts')).BACK_OFFICE_RESOURCES },
  { isAt: isPage, load: async () => (await import('./page-resources.ts')).PAGE_RESOURCES },
];

/** The app that answers a request. */
function createApps(dependencies: Dependencies, more: Resources = []): Served['appOf'] {
  const payments = createApp(dependencies, [...PAYMENT_RESOURCES, ...more]);
  const loaded = new Map<(typeof LATER)[number], App>();
  return (request) => {
    const path = routedPath(request);
    const part = LATER.find(({ isAt }) => isAt(path));
    if (part === undefined) return payments;
    return (
      loaded.get(part) ??
      part.load().then((resources) => {
        const app = loaded.get(part) ?? createApp(dependencies, resources);
        loaded.set(part, app);
        return app;
      })
    );
  };
}

/** What no payment can do without. A directory and feeds are asked for where they are used. */
const NEEDED = ['ACCESS_TOKENS', 'CHECKOUT_SESSIONS', 'MONEY_OPERATIONS', 'LEDGERS', 'ID_KEYS'] as const;

/** What keeps the whole deployment from being served. */
function complainOf(env: Bindings): Dependencies['misconfigured'] {
  const param = NEEDED.find((name) => env[name] === undefined);
  if (param !== undefined) {
    return { param, detail: `${param} is missing: declare it in the configuration of this deployment` };
  }
  const detail = complainOfJurisdiction(env.LEDGERS, env);
  return detail === undefined ? undefined : { param: 'JURISDICTION', detail };
}

function toDependencies(env: Bindings): Dependencies {
  const properties = propertiesOf(env);
  for (const property of properties.inSecrets) {
    if (property.invalid) log({ level: 'error', message: 'property_unavailable', issue: describeInvalid(property) });
  }
  const misconfigured = complainOf(env);
  if (misconfigured !== undefined) {
    const { param, detail } = misconfigured;
    log({
      level: 'error',
      message: `${param === 'JURISDICTION' ? 'jurisdiction' : 'binding'}_unavailable`,
      issue: detail,
    });
  }
  const platforms = platformsOf(env);
  for (const issue of platforms.issues) log({ level: 'error', message: 'platform_unavailable', issue });
  // Not Date.now itself: a test's clock replaces Date after this was set up.
  const now = (): number => Date.now();
  const ids = createTaggedIds(env);
  const calls = (trace?: RequestTrace): ObjectCalls => ({
    ids,
    session: (id, limitMs) => objectByName(env.CHECKOUT_SESSIONS, id, env, { trace, limitMs }),
    operation: (id, limitMs) => objectByName(env.MONEY_OPERATIONS, id, env, { trace, limitMs }),
    cardSession: (id) => objectByName(env.CHECKOUT_SESSIONS, id, env, { trace }),
    ledger: (property) => objectByName(env.LEDGERS, property, env, { trace }),
    traceparent: trace?.traceparent,
  });
  const telemetry = telemetryOf(env);
  return {
    properties,
    platforms,
    directory: createPropertyDirectory(env),
    resealCards: async (property, cursor) => ({
      ...(await resealCards({ ledger: calls().ledger(property), session: calls().session }, property, cursor)),
      sealingKeys: await fingerprintOfKeys(sealingKeysOf(env.SEALING_KEYS)),
    }),
    hasLivePayments: (property) => calls().ledger(property).hasLivePayments(),
    clientAddress: (headers) => clientAddress(env, headers),
    noteKeyUse: createKeyUses(env, { now, waitUntil }),
    noteRefusal: (property, refusal) =>
      waitUntil(
        calls()
          .ledger(property)
          .noteRefusal(property, refusal)
          .catch(() => undefined),
      ),
    countKeyRefusal: (refusal) => telemetry?.keyRefusal(refusal),
    publicUrl: createPublicUrl(env),
    deskSessions: {
      isOurs: (id) => ids.isOurs('ds', id),
      find: (property, id) => calls().ledger(property).deskSession(id),
      noteUse: (property, id) => calls().ledger(property).noteDeskUse(id),
    },
    ...calls(),
    tracing: telemetry && { telemetry, calls },
    feed: (platform) => platformFeed(env, platform),
    upstreamStatus: async (property) => (await accessTokenObject(env, property)).upstreamStatus(property.id),
    maxPending: env.MAX_PENDING_PAYMENTS ? Number(env.MAX_PENDING_PAYMENTS) : null,
    secondsToWait: createRateLimits(env, now),
    readFile: (path) => env.ASSETS.fetch(new Request(new URL(path, 'https://assets.invalid'))),
    now,
    log,
    misconfigured,
    version: VERSION,
  };
}

/** Nearly every request comes to the address that the one before came to, so that nothing is parsed for it. */
function createPublicUrl(env: Bindings): Dependencies['publicUrl'] {
  let last: { readonly reached: string; readonly url: URL | undefined } | undefined;
  return (requestUrl) => {
    const reached = requestUrl.slice(0, requestUrl.indexOf('/', 'https://'.length));
    if (last?.reached !== reached) last = { reached, url: publicUrlOf(env, requestUrl) };
    return last.url;
  };
}

function log(line: Readonly<Record<string, unknown>>): void {
  console.log(JSON.stringify(line));
}
