/** `/v1/checkout-sessions`: the hotel's server fixes what is to be paid, and follows it to its end. */
import {
  type CheckoutSession,
  CreateCheckoutSessionSchema,
  CreateClientSecretSchema,
  EmptySchema,
  ListCheckoutSessionsSchema,
  SessionKeySchema,
} from '@innkeep/core/contract';
import { parseHttpUrl } from '@innkeep/core/values';
import type { InferOutput } from 'valibot';
import { publicUrl } from '../http/app-context.ts';
import { describe } from '../http/describe.ts';
import { sha256Hex } from '../http/hash.ts';
import { optionalIdempotencyKey, replayed } from '../http/idempotency.ts';
import { newCapability } from '../http/ids.ts';
import { checkAmount } from '../http/payment-limits.ts';
import { type Outcome, type ProblemDetails, ProblemError, unwrap } from '../http/problem.ts';
import { requestFingerprint } from '../http/request-fingerprint.ts';
import { json } from '../http/response-headers.ts';
import { jsonBody, params, query } from '../http/validate.ts';
import { location, readList, rememberResource, withoutToken } from '../ledger/lists.ts';
import type { MerchantContext } from '../properties/caller-env.ts';
import { callerSecret } from '../properties/callers.ts';
import type { Property } from '../properties/configured-properties.ts';
import { merchantApp } from '../properties/resource-app.ts';
import { askSession, forKey, type SessionDependencies } from './checkout-sessions.ts';
import { isOwnOrigin } from './origins.ts';
import type { AddedLink } from './payment-links.ts';
import { sessionResolutions } from './resolution-route.ts';
import type { CreatedSession, EnsuredSession, IssuedSecret } from './session-creation.ts';
import { newSession } from './session-record.ts';

/** Body of the calls that take none. */
const nothing = jsonBody(EmptySchema, { isOptional: true });
export const checkoutSessions = merchantApp<SessionDependencies>({ tag: 'Checkout sessions' })
  .use('/:id/*', rememberResource)
  .post(
    '/',
    describe({ id: 'createCheckoutSession', scopes: ['checkout'], desk: 'link' }),
    optionalIdempotencyKey,
    jsonBody(CreateCheckoutSessionSchema),
    async (c) => {
      const property = c.get('property');
      const key = c.get('idempotencyKey');
      const body = c.req.valid('json');
      const { ids, now, session: objectOf } = c.get('dependencies');
      const createdAt = now();
      const id = await (key === undefined
        ? ids.create(createdAt)
        : ids.derive('cs', [property.id, 'checkout_session', key]));
      // Without a key nothing is ever compared with it.
      const fingerprint = key === undefined ? '' : await requestFingerprint(body);
      const refusal = findRefusal(body, property);
      if (refusal !== undefined) {
        // A request that was accepted before the configuration was narrowed still gets its answer.
        const earlier =
          key === undefined
            ? null
            : unwrap<CreatedSession | null>(await objectOf(id).replay(fingerprint, property.livemode));
        if (earlier === null) throw new ProblemError('invalid_request', refusal);
        c.get('logFields').resource = id;
        return json(c, await forKey(c, earlier.session), 201, { ...location(c, id), ...replayed(true) });
      }
      const asked = newSession(body, { id, property, createdAt, actor: c.get('actor') });
      const { session, isReplay } = unwrap<CreatedSession>(await objectOf(id).create(asked, fingerprint));
      c.get('logFields').resource = id;
      return json(c, await forKey(c, session), 201, { ...location(c, id), ...replayed(isReplay) });
    },
  )
  .get(
    '/',
    describe({ id: 'listCheckoutSessions', scopes: ['checkout', 'read'] }),
    query(ListCheckoutSessionsSchema),
    async (c) => {
      const { idempotencyKey, ...wanted } = c.req.valid('query');
      if (idempotencyKey === undefined) return json(c, await readList(c, 'checkout_session', wanted));
      const { ids, session } = c.get('dependencies');
      const property = c.get('property').id;
      const id = await ids.derive('cs', [property, 'checkout_session', idempotencyKey]);
      const found: Outcome<CheckoutSession> = await session(id).retrieve(property);
      const data = !found.ok && found.code === 'not_found' ? [] : [withoutToken(unwrap(found))];
      return json(c, { object: 'list', data, nextCursor: null });
    },
  )
  .get(
    '/:id',
    describe({ id: 'retrieveCheckoutSession', scopes: ['checkout', 'read', 'tokens'], desk: 'read' }),
    async (c) => json(c, await askSession(c, c.req.param('id'), (session, property) => session.retrieve(property))),
  )
  .post(
    '/:id/expire',
    describe({ id: 'expireCheckoutSession', scopes: ['checkout'], desk: 'link' }),
    nothing,
    async (c) =>
      json(c, await askSession(c, c.req.param('id'), (session, property) => session.expire(property, c.get('actor')))),
  )
  .post('/:id/refresh', describe({ id: 'refreshCheckoutSession', scopes: ['checkout'] }), nothing, async (c) => {
    const { traceparent } = c.get('dependencies');
    return json(
      c,
      await askSession(c, c.req.param('id'), (session, property) => session.refresh(property, traceparent)),
    );
  })
  .post(
    '/:id/client-secret',
    describe({ id: 'createClientSecret', scopes: ['checkout'] }),
    optionalIdempotencyKey,
    jsonBody(CreateClientSecretSchema, { isOptional: true }),
    async (c) => {
      const request = { ...c.req.valid('json'), actor: c.get('actor'), key: c.get('idempotencyKey') };
      const { clientSecret, isReplay } = await askSession<IssuedSecret>(c, c.req.param('id'), (session, property) =>
        session.clientSecret(property, request),
      );
      return json(c, { clientSecret }, 200, replayed(isReplay));
    },
  )
  .post(
    '/:id/link',
    describe({ id: 'createPaymentLink', scopes: ['checkout'], desk: 'link' }),
    optionalIdempotencyKey,
    nothing,
    async (c) => {
      const { origin } = publicUrl(c);
      const { ids } = c.get('dependencies');
      const id = c.req.param('id');
      const key = c.get('idempotencyKey');
      const add = async (renewals: number): Promise<AddedLink & { readonly linkId: string }> => {
        // The same one for the same call, until the session is reopened. Without the caller’s secret nobody could tell it.
        const parts = [id, 'link', String(key), callerSecret(c), ...(renewals === 0 ? [] : [String(renewals)])];
        const linkId = key === undefined ? newCapability(id) : `${id}_${await ids.deriveSecret(parts)}`;
        const call = key === undefined ? { key: null } : { key: `link ${key}`, renewals };
        const made = { hash: await sha256Hex(linkId), ...call };
        const added = await askSession<AddedLink>(c, id, (session, property) =>
          session.addLink(property, made, c.get('actor')),
        );
        return added.renewals === undefined ? { ...added, linkId } : add(added.renewals);
      };
      const { linkId, expiresAt, isReplay } = await add(0);
      const url = `${origin}/pay/${linkId}`;
      return json(c, { url, qrUrl: `${url}/qr.svg`, expiresAt }, 200, replayed(isReplay));
    },
  )
  .post(
    '/:id/revoke-links',
    describe({ id: 'revokePaymentLinks', scopes: ['checkout'], desk: 'link' }),
    nothing,
    async (c) =>
      json(
        c,
        await askSession(c, c.req.param('id'), (session, property) => session.revokeLinks(property, c.get('actor'))),
      ),
  )
  .post('/:id/redact', describe({ id: 'redactCheckoutSession', scopes: ['redact'] }), nothing, async (c) =>
    json(c, await askSession(c, c.req.param('id'), (session, property) => session.redact(property, c.get('actor')))),
  )
  .route('/', sessionResolutions);

/** Below `by-key`, and mounted before the rest: a key may have the name of an action. */
export const sessionsByKey = merchantApp<SessionDependencies>({ tag: 'Checkout sessions' })
  .put(
    '/:key',
    describe({ id: 'ensureCheckoutSession', scopes: ['checkout'] }),
    params(SessionKeySchema),
    jsonBody(CreateCheckoutSessionSchema),
    async (c) => {
      const property = c.get('property');
      const body = c.req.valid('json');
      const { session: objectOf, now, traceparent } = c.get('dependencies');
      const id = await idOfKey(c, c.req.valid('param').key);
      c.get('logFields').resource = id;
      const wanted = newSession(body, { id, property, createdAt: now(), actor: c.get('actor') });
      const refusal = findRefusal(body, property);
      const { session, isNew } = unwrap<EnsuredSession>(await objectOf(id).ensure(wanted, { refusal, traceparent }));
      return json(
        c,
        await forKey(c, session),
        isNew ? 201 : 200,
        isNew ? { location: `/v1/checkout-sessions/${id}` } : {},
      );
    },
  )
  .get(
    '/:key',
    describe({ id: 'retrieveCheckoutSessionByKey', scopes: ['checkout', 'read', 'tokens'] }),
    params(SessionKeySchema),
    async (c) => {
      const id = await idOfKey(c, c.req.valid('param').key);
      return json(c, await askSession(c, id, (session, property) => session.retrieve(property)));
    },
  );

/** The id of the session that a key stands for. Keys of `Idempotency-Key` are others. */
function idOfKey(c: MerchantContext<SessionDependencies>, key: string): Promise<string> {
  return c.get('dependencies').ids.derive('cs', [c.get('property').id, 'checkout_session_by_key', key]);
}

/** The part of a body that the property's present configuration does not allow. */
function findRefusal(
  body: InferOutput<typeof CreateCheckoutSessionSchema>,
  property: Property,
): ProblemDetails | undefined {
  if (body.returnUrl !== undefined) {
    const url = parseHttpUrl(body.returnUrl);
    if (url === undefined || !isOwnOrigin(url.origin, property)) {
      return { detail: 'Must be on one of the property’s origins', param: 'returnUrl' };
    }
  }
  if (body.kind !== 'payment') return undefined;
  const { amountUnit, maxAmount } = property;
  const refusal = checkAmount(body.amount, { amountUnit, maxAmount });
  if (refusal !== undefined || !body.surcharge || property.surcharge) return refusal;
  return { detail: 'This property does not allow surcharges', param: 'surcharge' };
}
