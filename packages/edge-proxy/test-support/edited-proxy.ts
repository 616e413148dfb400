/** A proxy over the tests' own storage whose Hotel Aurora was edited, as after a change of its secret. */
import { env } from 'cloudflare:workers';
import { platformFeed } from '../src/ledger/platform-feeds.ts';
import { objectByName } from '../src/objects/object-by-name.ts';
import { parsePlatforms } from '../src/properties/platforms.ts';
import { type PropertyBindings, propertiesOf } from '../src/properties/properties.ts';
import { createPropertyDirectory } from '../src/properties/property-directory.ts';
import type { Dependencies, Resources } from '../src/runtime/app.ts';
import type { Json } from './client.ts';
import { AURORA, KEYS, SEALING_KEY } from './environment.ts';
import { ids } from './objects.ts';
import { validateExchange } from './validate-exchange.ts';
import { createApp } from './whole-app.ts';

/** What an app stands on, with Aurora edited. */
export function editedDependencies(edit: Json = {}): Dependencies {
  return {
    properties: propertiesOf({
      PROPERTY_AURORA: JSON.stringify({ ...AURORA, ...edit }),
      SEALING_KEYS: SEALING_KEY,
    } as unknown as PropertyBindings),
    platforms: parsePlatforms({}),
    directory: createPropertyDirectory(env),
    resealCards: async () => ({ cards: 0, nextCursor: null }),
    hasLivePayments: async () => false,
    clientAddress: () => undefined,
    noteKeyUse: () => undefined,
    noteRefusal: () => undefined,
    countKeyRefusal: () => undefined,
    publicUrl: () => new URL('https://proxy.test'),
    ids,
    deskSessions: {
      isOurs: (id) => ids.isOurs('ds', id),
      find: (property, id) => objectByName(env.LEDGERS, property, env).deskSession(id),
      noteUse: (property, id) => objectByName(env.LEDGERS, property, env).noteDeskUse(id),
    },
    session: (id, limitMs) => objectByName(env.CHECKOUT_SESSIONS, id, env, { limitMs }),
    operation: (id, limitMs) => objectByName(env.MONEY_OPERATIONS, id, env, { limitMs }),
    cardSession: (id) => objectByName(env.CHECKOUT_SESSIONS, id, env),
    ledger: (property) => objectByName(env.LEDGERS, property, env),
    feed: (platform) => platformFeed(env, platform),
    upstreamStatus: async () => 'ok',
    maxPending: null,
    secondsToWait: async () => 0,
    readFile: async () => new Response(null, { status: 404 }),
    now: () => Date.now(),
    log: () => undefined,
    version: 'test',
  };
}

/** The edit by which a hotel that was in test mode goes live. */
export const LIVE = { livemode: true, origins: ['https://aurora.test'] };

/** Posts as Aurora's server to the edited proxy. `more`: besides the default resources. */
export async function postAfterEdit(
  edit: Json,
  request: { readonly path: string; readonly body: Json; readonly key?: string; readonly method?: 'PUT' },
  more?: Resources,
): Promise<Response> {
  const app = createApp(editedDependencies(edit), more);
  const { method = 'POST' } = request;
  const url = `https://proxy.test${request.path}`;
  const body = JSON.stringify(request.body);
  const answer = await app.fetch(
    new Request(url, {
      method,
      headers: {
        authorization: `Bearer ${KEYS.aurora}`,
        'content-type': 'application/json',
        ...(request.key === undefined ? {} : { 'idempotency-key': request.key }),
      },
      body,
    }),
  );
  await validateExchange({ method, url, body }, answer);
  return answer;
}
