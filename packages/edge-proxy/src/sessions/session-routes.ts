/** `/v1/checkout-sessions`: the hotel's server fixes what is to be paid, and follows it to its end. */
import {
  type CheckoutSession,
  CheckoutSessionListSchema,
  CheckoutSessionSchema,
  ClientSecretSchema,
  CreateCheckoutSessionSchema,
  CreateClientSecretSchema,
  CreatedCheckoutSessionSchema,
  EmptySchema,
  ListCheckoutSessionsSchema,
  PaymentLinkSchema,
  SessionKeySchema,
} from '@innkeep/core/contract';
import { parseHttpUrl } from '@innkeep/core/values';
import type { InferOutput } from 'valibot';
import { bearer, publicUrl } from '../http/app-context.ts';
import { describe } from '../http/describe.ts';
import { sha256Hex } from '../http/hash.ts';
import { optionalIdempotencyKey, replayed } from '../http/idempotency.ts';
import { newCapability } from '../http/ids.ts';
import { checkAmount } from '../http/payment-limits.ts';
import { type Outcome, type ProblemDetails, ProblemError, unwrap } from '../http/problem.ts';
import { requestFingerprint } from '../http/request-fingerprint.ts';
import { jsonBody, params, query } from '../http/validate.ts';
import { location, readList, rememberResource, withoutToken } from '../ledger/lists.ts';
import type { Property } from '../properties/configured-properties.ts';
import { type MerchantContext, merchantApp } from '../properties/resource-app.ts';
import type { AddedLink, CreatedSession, EnsuredSession, IssuedSecret } from './checkout-session-object.ts';
import { askSession, forKey, type SessionDependencies } from './checkout-sessions.ts';
import { isOwnOrigin } from './origins.ts';
import { sessionResolutions } from './resolution-route.ts';
import { newSession } from './session-record.ts';

/** Body of the calls that take none. */
const nothing = jsonBody(EmptySchema, { isOptional: true });
const one = { 200: { description: 'The session', schema: CheckoutSessionSchema } };
/** Nobody has paid it. */
const unpaid = { startedAt: null, completedAt: null, result: null, attempts: [], reversed: null, reversing: null };
const expired = { ...one[200], example: { ...unpaid, status: 'expired', seq: 2 } };
const open = { ...one[200], example: { ...unpaid, status: 'open', final: false, seq: 1 } };

const BODY = {
  kind: 'payment',
  amount: { value: 12_000, currency: 'EUR' },
  reference: 'RES-1234',
  description: '2 nights',
  returnUrl: 'https://hotel.example/booking/1234',
} as const;

export const checkoutSessions = merchantApp<SessionDependencies>({ tag: 'Checkout sessions' })
  .use('/:id/*', rememberResource)
  .post(
    '/',
    describe({
      id: 'createCheckoutSession',
      scopes: ['checkout'],
      summary: 'Create a checkout session',
      description:
        'Hand the client secret to the guest’s page and keep the id with the booking. With a key a lost call can be repeated.',
      answers: {
        201: {
          description: 'The new session, or the one an earlier call with the key made',
          schema: CreatedCheckoutSessionSchema,
          headers: ['Location', 'idempotent-replayed'],
        },
      },
      problems: ['idempotency_mismatch'],
      example: BODY,
    }),
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
      const fingerprint = await requestFingerprint(body);
      const refusal = findRefusal(body, property);
      if (refusal !== undefined) {
        // Accepted before the configuration was narrowed, the request still has the answer it had.
        const earlier =
          key === undefined ? null : unwrap<CreatedSession | null>(await objectOf(id).replay(fingerprint));
        if (earlier === null) throw new ProblemError('invalid_request', refusal);
        c.get('logFields').resource = id;
        return c.json(forKey(c, earlier.session), 201, { ...location(c, id), ...replayed(true) });
      }
      const asked = newSession(body, { id, property, createdAt });
      const { session, isReplay } = unwrap<CreatedSession>(await objectOf(id).create(asked, fingerprint));
      c.get('logFields').resource = id;
      return c.json(forKey(c, session), 201, { ...location(c, id), ...replayed(isReplay) });
    },
  )
  .get(
    '/',
    describe({
      id: 'listCheckoutSessions',
      scopes: ['checkout', 'read'],
      summary: 'List sessions, newest first; eventually consistent, except for the one of an idempotency key',
      description:
        'A session that has just changed may still be listed as it was: read it by its id where that matters.',
      answers: { 200: { description: 'A page', schema: CheckoutSessionListSchema } },
    }),
    query(ListCheckoutSessionsSchema),
    async (c) => {
      const { idempotencyKey, ...wanted } = c.req.valid('query');
      if (idempotencyKey === undefined) return c.json(await readList(c, 'checkout_session', wanted));
      const { ids, session } = c.get('dependencies');
      const property = c.get('property').id;
      const id = await ids.derive('cs', [property, 'checkout_session', idempotencyKey]);
      const found: Outcome<CheckoutSession> = await session(id).retrieve(property);
      const data = !found.ok && found.code === 'not_found' ? [] : [withoutToken(unwrap(found))];
      return c.json({ object: 'list', data, nextCursor: null });
    },
  )
  .get(
    '/:id',
    describe({
      id: 'retrieveCheckoutSession',
      scopes: ['checkout', 'read', 'tokens'],
      summary: 'Read a session',
      description: 'The session as it is now, with a stored card’s token if the key has the scope `tokens`.',
      answers: one,
      problems: ['not_found'],
    }),
    async (c) => c.json(await askSession(c, c.req.param('id'), (session, property) => session.retrieve(property))),
  )
  .post(
    '/:id/expire',
    describe({
      id: 'expireCheckoutSession',
      scopes: ['checkout'],
      summary: 'Expire a session that nobody is paying',
      description: 'No money moves. While a guest is paying it is refused: wait for the outcome.',
      answers: { 200: expired },
      problems: ['not_found', 'session_not_open', 'payment_in_progress'],
    }),
    nothing,
    async (c) => c.json(await askSession(c, c.req.param('id'), (session, property) => session.expire(property))),
  )
  .post(
    '/:id/refresh',
    describe({
      id: 'refreshCheckoutSession',
      scopes: ['checkout'],
      summary: 'Look at the payment service now; answers after two seconds at most',
      description: 'For a person who waits. The proxy looks by itself as well, whether or not anybody asks.',
      answers: one,
      problems: ['not_found'],
    }),
    nothing,
    async (c) => {
      const { traceparent } = c.get('dependencies');
      return c.json(
        await askSession(c, c.req.param('id'), (session, property) => session.refresh(property, traceparent)),
      );
    },
  )
  .post(
    '/:id/client-secret',
    describe({
      id: 'createClientSecret',
      scopes: ['checkout'],
      summary: 'Get the client secret of a session for a page of the hotel, or end it and get a new one',
      description:
        'It is the one that the create answers with, for every page and device, until `rotate` ends it. Whoever has it can read and start the session, and nothing else. Never put it into an address.',
      answers: {
        200: {
          description: 'The secret that is live; a repeated `rotate` with the same key ends nothing more',
          schema: ClientSecretSchema,
          headers: ['idempotent-replayed'],
        },
      },
      problems: ['not_found'],
      example: { rotate: true },
    }),
    optionalIdempotencyKey,
    jsonBody(CreateClientSecretSchema, { isOptional: true }),
    async (c) => {
      const request = { ...c.req.valid('json'), key: c.get('idempotencyKey') };
      const { clientSecret, isReplay } = await askSession<IssuedSecret>(c, c.req.param('id'), (session, property) =>
        session.clientSecret(property, request),
      );
      return c.json({ clientSecret }, 200, replayed(isReplay));
    },
  )
  .post(
    '/:id/link',
    describe({
      id: 'createPaymentLink',
      scopes: ['checkout'],
      summary: 'Make an address and a QR code that pay this session',
      description: 'Whoever has the link can pay, until the session expires or the link is taken back.',
      answers: {
        200: {
          description: 'The link; the same one for the same key',
          schema: PaymentLinkSchema,
          headers: ['idempotent-replayed'],
        },
      },
      problems: ['not_found', 'session_not_open', 'idempotency_mismatch'],
    }),
    optionalIdempotencyKey,
    nothing,
    async (c) => {
      const { origin } = publicUrl(c);
      const { ids } = c.get('dependencies');
      const id = c.req.param('id');
      const key = c.get('idempotencyKey');
      // The same one for the same call. Without the merchant key nobody could tell it.
      const linkId =
        key === undefined ? newCapability(id) : `${id}_${await ids.deriveSecret([id, 'link', key, bearer(c)])}`;
      const made = { hash: await sha256Hex(linkId), key: key === undefined ? null : `link ${key}` };
      const { expiresAt, isReplay } = await askSession<AddedLink>(c, id, (session, property) =>
        session.addLink(property, made),
      );
      const url = `${origin}/pay/${linkId}`;
      return c.json({ url, qrUrl: `${url}/qr.svg`, expiresAt }, 200, replayed(isReplay));
    },
  )
  .post(
    '/:id/revoke-links',
    describe({
      id: 'revokePaymentLinks',
      scopes: ['checkout'],
      summary: 'Take back every payment link of a session',
      description:
        'Their pages answer 404 from then on; the session stays as it is and can have new links. A hosted page that is open already can still be paid.',
      answers: { 200: open },
      problems: ['not_found'],
    }),
    nothing,
    async (c) => c.json(await askSession(c, c.req.param('id'), (session, property) => session.revokeLinks(property))),
  )
  .route('/', sessionResolutions);

/** Below `by-key`, and mounted before the rest: a key may be called as what can be done with a session. */
export const sessionsByKey = merchantApp<SessionDependencies>({ tag: 'Checkout sessions' })
  .put(
    '/:key',
    describe({
      id: 'ensureCheckoutSession',
      scopes: ['checkout'],
      summary: 'Create the one session of a booking, or bring it up to date',
      description:
        'Call it whenever the booking’s page is shown. The same key always has the same session and the same client secret. Another amount or text reaches the next attempt and never a guest who is paying: then `outdated` is true. A session that has expired is opened anew.',
      answers: {
        201: { description: 'The new session', schema: CreatedCheckoutSessionSchema, headers: ['Location'] },
        200: { description: 'The session as it is now', schema: CreatedCheckoutSessionSchema },
      },
      problems: ['idempotency_mismatch', 'too_many_attempts'],
      example: BODY,
    }),
    params(SessionKeySchema),
    jsonBody(CreateCheckoutSessionSchema),
    async (c) => {
      const property = c.get('property');
      const body = c.req.valid('json');
      const { session: objectOf, now, traceparent } = c.get('dependencies');
      const id = await idOfKey(c, c.req.valid('param').key);
      c.get('logFields').resource = id;
      const wanted = newSession(body, { id, property, createdAt: now() });
      const refusal = findRefusal(body, property);
      const { session, isNew } = unwrap<EnsuredSession>(await objectOf(id).ensure(wanted, { refusal, traceparent }));
      return c.json(forKey(c, session), isNew ? 201 : 200, isNew ? { location: `/v1/checkout-sessions/${id}` } : {});
    },
  )
  .get(
    '/:key',
    describe({
      id: 'retrieveCheckoutSessionByKey',
      scopes: ['checkout', 'read', 'tokens'],
      summary: 'Read the session of a key',
      description: 'The session as it is now, as if it were read by its id.',
      answers: one,
      problems: ['not_found'],
    }),
    params(SessionKeySchema),
    async (c) => {
      const id = await idOfKey(c, c.req.valid('param').key);
      return c.json(await askSession(c, id, (session, property) => session.retrieve(property)));
    },
  );

/** The id of the session that a key stands for. Keys of `Idempotency-Key` are others. */
function idOfKey(c: MerchantContext<SessionDependencies>, key: string): Promise<string> {
  return c.get('dependencies').ids.derive('cs', [c.get('property').id, 'checkout_session_by_key', key]);
}

/** What of a body does not fit the property's present configuration. */
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
