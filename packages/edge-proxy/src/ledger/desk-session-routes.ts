/**
 * `/v1/desk-sessions`: a back office lets one person do some of what its key may, from one page, for at most an hour, or from the proxy's
 * own page. `/v1/desk`: what that is, for the page.
 */
import {
  CreateDeskSessionSchema,
  DESK_FEATURE_SCOPES,
  DESK_FEATURES,
  type Desk,
  EmptySchema,
  ListDeskSessionsSchema,
  MAX_DESK_PAGE_SECONDS,
  MAX_DESK_SECONDS,
  type MerchantKey,
} from '@innkeep/core/contract';
import type { InferOutput } from 'valibot';
import { bearer, publicUrl } from '../http/app-context.ts';
import { describe } from '../http/describe.ts';
import { sha256Hex } from '../http/hash.ts';
import { isCardNumber } from '../http/idempotency.ts';
import { ProblemError, unwrap } from '../http/problem.ts';
import { json } from '../http/response-headers.ts';
import { toTimestamp } from '../http/timestamp.ts';
import { jsonBody, query } from '../http/validate.ts';
import type { MerchantContext } from '../properties/caller-env.ts';
import { newDeskSecret } from '../properties/desk-caller.ts';
import { deskPageOf, setDeskCookie } from '../properties/desk-cookie.ts';
import {
  isOfOtherMode,
  keyOfDesk,
  PAGE_LINK_MS,
  type StoredDeskSession,
  toDeskSession,
} from '../properties/desk-session.ts';
import { deskApp, merchantApp } from '../properties/resource-app.ts';
import { type LedgerDependencies, rememberResource } from './lists.ts';

export const deskSessions = merchantApp<LedgerDependencies>({ tag: 'Desk' })
  .use('/:id/*', rememberResource)
  .post(
    '/',
    describe({ id: 'createDeskSession', scopes: ['desk'] }),
    jsonBody(CreateDeskSessionSchema, { mayHoldLists: true }),
    async (c) => {
      const { id: property, livemode } = c.get('property');
      const { ids, ledger, now } = c.get('dependencies');
      const body = c.req.valid('json');
      requireGrantable(c, body);
      const { person, features, maxReversal = null, page } = body;
      const { origin = publicUrl(c).origin, expiresInSeconds = page ? MAX_DESK_PAGE_SECONDS : MAX_DESK_SECONDS } = body;
      const createdAt = now();
      const id = await ids.create(createdAt, 'ds');
      const secret = newDeskSecret(id, property);
      const endsAt = createdAt + expiresInSeconds * 1_000;
      const expiresAt = page ? createdAt + PAGE_LINK_MS : endsAt;
      const session: StoredDeskSession = {
        id,
        person,
        origin,
        features: DESK_FEATURES.filter((feature) => features.includes(feature)),
        ...(page ? { page: { isOpen: false, endsAt } } : {}),
        livemode,
        maxReversal,
        hash: await sha256Hex(secret),
        keyHash: await sha256Hex(bearer(c)),
        by: c.get('actor').by,
        createdAt,
        expiresAt,
        revokedAt: null,
      };
      await ledger(property).addDeskSession(property, session, c.get('actor'));
      c.get('logFields').resource = id;
      // No browser sends a fragment, so the code is in nobody's log.
      const access = page ? { url: `${origin}/desk/${property}#code=${secret}` } : { clientSecret: secret };
      return json(c, { id, ...access, expiresAt: toTimestamp(expiresAt) }, 201);
    },
  )
  .get(
    '/',
    describe({ id: 'listDeskSessions', scopes: ['desk', 'read'] }),
    query(ListDeskSessionsSchema),
    async (c) => {
      const { limit, cursor = null } = c.req.valid('query');
      const { ledger } = c.get('dependencies');
      const found = await ledger(c.get('property').id).listDeskSessions(cursor, limit + 1);
      const page = found.slice(0, limit);
      const nextCursor = found.length > limit ? (page.at(-1)?.id ?? null) : null;
      return json(c, { object: 'list', data: page.map((session) => show(c, session)), nextCursor });
    },
  )
  .post(
    '/:id/revoke',
    describe({ id: 'revokeDeskSession', scopes: ['desk'] }),
    jsonBody(EmptySchema, { isOptional: true }),
    async (c) => {
      const { ledger } = c.get('dependencies');
      const revoked = await ledger(c.get('property').id).revokeDeskSession(c.req.param('id'), c.get('actor'));
      return json(c, show(c, unwrap<StoredDeskSession>(revoked)));
    },
  );

export const desk = deskApp<LedgerDependencies>({ tag: 'Desk' })
  .get('/', describe({ id: 'retrieveDesk', desk: 'any' }), (c) => {
    const { id, displayName: name, livemode, timeZone, dayStartsAt, maxAmount = null } = c.get('property');
    const { person, features, expiresAt, maxReversal } = c.get('desk');
    const shown: Desk = {
      object: 'desk',
      property: { id, name, livemode, timeZone, dayStartsAt, maxAmount },
      person,
      features,
      maxReversal: narrower(maxReversal, c.get('key').maxReversal ?? null),
      expiresAt,
    };
    return json(c, shown);
  })
  .post(
    '/sign-out',
    describe({ id: 'signOutOfDesk', desk: 'any' }),
    jsonBody(EmptySchema, { isOptional: true }),
    async (c) => {
      const property = c.get('property').id;
      const { ledger } = c.get('dependencies');
      unwrap<StoredDeskSession>(await ledger(property).revokeDeskSession(c.get('desk').id, c.get('actor')));
      if (deskPageOf(c.req.url) !== undefined) setDeskCookie(c, { property, secret: '', seconds: 0 });
      return c.body(null, 204);
    },
  );

/** Refuses what the key may not grant, or the hotel does not allow. */
function requireGrantable(
  c: MerchantContext & { set(name: 'lacksScope', value: true): void },
  { person, origin, features }: InferOutput<typeof CreateDeskSessionSchema>,
): void {
  const lacking = features.find((feature) => !c.get('scopes').includes(DESK_FEATURE_SCOPES[feature]));
  if (lacking !== undefined) {
    c.set('lacksScope', true);
    const detail = `This key needs the scope "${DESK_FEATURE_SCOPES[lacking]}" for the feature "${lacking}"`;
    throw new ProblemError('forbidden', { detail, param: 'features' });
  }
  if (isCardNumber(person.id)) {
    throw new ProblemError('invalid_request', { detail: 'The id must not contain a card number', param: 'person.id' });
  }
  if (origin !== undefined && !c.get('property').deskOrigins.includes(origin)) {
    throw new ProblemError('invalid_request', {
      detail: 'Must be one of the property’s deskOrigins',
      param: 'origin',
    });
  }
}

function show(c: MerchantContext, session: StoredDeskSession) {
  const property = c.get('property');
  const { platforms, now } = c.get('dependencies');
  const isOver = session.revokedAt !== null || now() >= session.expiresAt || isOfOtherMode(session, property);
  const isActive = !isOver && keyOfDesk(session.keyHash, property, { platforms, now: now() }) !== undefined;
  return toDeskSession(session, { property: property.id, isActive });
}

type Limits = NonNullable<MerchantKey['maxReversal']>;

/** The largest amounts that two limits allow together; null allows all. */
function narrower(one: Limits | null, other: Limits | null): Limits | null {
  if (one === null || other === null) return one ?? other;
  const shared = Object.entries(one).filter(([currency]) => currency in other);
  return Object.fromEntries(shared.map(([currency, value]) => [currency, Math.min(value, other[currency] ?? 0)]));
}
