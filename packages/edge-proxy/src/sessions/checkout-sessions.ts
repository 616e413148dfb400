/** Calls of the session objects. Routes never touch a stub; a refusal arrives as a thrown problem. */
import type { CheckoutSession, CheckoutView } from '@innkeep/core/contract';
import { sha256Hex } from '../http/hash.ts';
import { newCapability, sessionIdOf } from '../http/ids.ts';
import { type Outcome, type ProblemDetails, ProblemError, unwrap } from '../http/problem.ts';
import type { TaggedIds } from '../ledger/tagged-ids.ts';
import { objectByName, UPSTREAM_ANSWER_LIMIT_MS } from '../objects/object-by-name.ts';
import type { Guest } from '../properties/resource-app.ts';
import type { Resolution } from '../records/resolution.ts';
import type { RequestTrace } from '../telemetry/request-trace.ts';
import type {
  CheckoutSessionBindings,
  CheckoutSessionObject,
  CreatedSession,
  EnsuredSession,
  IssuedSecret,
} from './checkout-session-object.ts';
import type { GuestCaller, SecretRequest, SessionPage, StartedSession, StartRequest } from './session-page.ts';
import type { NewSession } from './session-record.ts';

/** What the routes of sessions need. */
export interface SessionDependencies {
  readonly sessions: CheckoutSessions;
}

/** What makes a link come out the same again: the call's key, and the merchant key, without which nobody could tell it. */
export interface Repeatable {
  readonly idempotencyKey: string | undefined;
  readonly merchantKey: string;
}

/** What a guest's call comes to, and whose session it is. */
type Named<T> = T & { readonly property: string | undefined };

/** How one of the proxy's own pages starts an attempt. */
type PageStart = Pick<StartRequest, 'terms' | 'publicUrl'>;

type Stub = DurableObjectStub<CheckoutSessionObject>;
/** Whether an earlier call with the same key made it. */
type Repeated = { readonly isReplay: boolean };

/** Everything that can be done with checkout sessions. */
export type CheckoutSessions = ReturnType<typeof createCheckoutSessions>;

/** The checkout sessions of this deployment. `trace`: of the request that the calls are made for. */
export function createCheckoutSessions(bindings: CheckoutSessionBindings, ids: TaggedIds, trace?: RequestTrace) {
  const traceparent = trace?.traceparent;
  const object = (id: string, limitMs?: number): Stub =>
    objectByName(bindings.CHECKOUT_SESSIONS, id, bindings, { trace, limitMs });

  /** The object of an id. One that nobody made would create an object, and leave its file behind. */
  const known = async (id: string, property: string): Promise<Stub> => {
    if (await ids.isKnown('cs', id, property)) return object(id);
    throw new ProblemError('not_found', { detail: 'There is no checkout session with this id' });
  };

  /** The object that a capability belongs to. */
  const ours = async (capability: string, limitMs?: number): Promise<Stub | undefined> => {
    const id = sessionIdOf(capability);
    return id !== undefined && (await ids.isOurs('cs', id)) ? object(id, limitMs) : undefined;
  };

  const guestObject = async (
    { clientSecret, ...from }: Guest,
    limitMs?: number,
  ): Promise<{ stub: Stub; caller: GuestCaller }> => {
    const stub = await ours(clientSecret, limitMs);
    if (stub === undefined)
      throw new ProblemError('unauthorized', { detail: 'The client secret is wrong or was revoked' });
    return { stub, caller: { ...from, secretHash: await sha256Hex(clientSecret) } };
  };

  const linkObject = async (linkId: string, limitMs?: number): Promise<{ stub: Stub; linkHash: string }> => {
    const stub = await ours(linkId, limitMs);
    if (stub === undefined) throw noSuchPage();
    return { stub, linkHash: await sha256Hex(linkId) };
  };

  /** A link of a session, the same one for the same call. */
  const makeLinkOnce = async (id: string, { idempotencyKey, merchantKey }: Repeatable) => {
    const secret = (key: string): Promise<string> => ids.deriveSecret([id, 'link', key, merchantKey]);
    const capability = idempotencyKey === undefined ? newCapability(id) : `${id}_${await secret(idempotencyKey)}`;
    const key = idempotencyKey === undefined ? null : `link ${idempotencyKey}`;
    return { capability, made: { hash: await sha256Hex(capability), key } };
  };

  return {
    /** Makes the ids of sessions to be created. */
    ids,
    /** Makes a session, or finds the one that an earlier call made, with its client secret. */
    create: async (session: NewSession, fingerprint: string) =>
      unwrap<CreatedSession>(await object(session.id).create(session, fingerprint)),
    /** The one session of a key, as the hotel wants it now. */
    ensure: async (session: NewSession, refusal: ProblemDetails | undefined) =>
      unwrap<EnsuredSession>(await object(session.id).ensure(session, { refusal, traceparent })),
    /** What the same request made before, under an id derived from its key; null when it made nothing. */
    replay: async (id: string, fingerprint: string) =>
      unwrap<CreatedSession | null>(await object(id).replay(fingerprint)),
    /** The session of an id derived from a key; null while there is none. */
    async find(id: string, property: string) {
      const found: Outcome<CheckoutSession> = await object(id).retrieve(property);
      return !found.ok && found.code === 'not_found' ? null : unwrap<CheckoutSession>(found);
    },
    /** Reads a session as the hotel sees it. */
    retrieve: async (id: string, property: string) =>
      unwrap<CheckoutSession>(await (await known(id, property)).retrieve(property)),
    /** Ends a session that nobody is paying. */
    expire: async (id: string, property: string) =>
      unwrap<CheckoutSession>(await (await known(id, property)).expire(property)),
    /** Looks at the payment service now. */
    refresh: async (id: string, property: string) =>
      unwrap<CheckoutSession>(await (await known(id, property)).refresh(property, traceparent)),
    /** Ends an uncertain outcome with a person’s evidence. */
    resolve: async (
      id: string,
      property: string,
      resolution: Omit<Resolution, 'at'> & { readonly attempt: number | null },
    ) => unwrap<CheckoutSession>(await (await known(id, property)).resolve(property, resolution)),
    /** The client secret of a session, or a new one that ends it. */
    clientSecret: async (id: string, property: string, request: SecretRequest) =>
      unwrap<IssuedSecret>(await (await known(id, property)).clientSecret(property, request)),
    /** Makes a link that pays the session. */
    async createLink(id: string, property: string, how: Repeatable) {
      const stub = await known(id, property);
      const { capability, made } = await makeLinkOnce(id, how);
      const added = unwrap<Repeated & { readonly expiresAt: string }>(await stub.addLink(property, made));
      return { linkId: capability, ...added };
    },
    /** Takes back every link of a session. */
    revokeLinks: async (id: string, property: string) =>
      unwrap<CheckoutSession>(await (await known(id, property)).revokeLinks(property)),
    /** Reads a session as its guest sees it. */
    async read(guest: Guest): Promise<Named<{ readonly view: CheckoutView }>> {
      const { stub, caller } = await guestObject(guest);
      const outcome: Outcome<CheckoutView> = await stub.read(caller);
      return { view: unwrap(outcome), property: outcome.property };
    },
    /** Opens the hosted page, or the same page again. */
    async start(guest: Guest, how: Omit<StartRequest, 'traceparent'>) {
      const { stub, caller } = await guestObject(guest, UPSTREAM_ANSWER_LIMIT_MS);
      return started(await stub.start(caller, { ...how, traceparent }));
    },
    /** What the page after the hosted one needs, once the nonce fits. */
    async returned(id: string, nonce: string, through: 'success' | 'abort' | null) {
      if (!(await ids.isOurs('cs', id))) throw noSuchPage();
      return unwrap<SessionPage>(await object(id).returned(await sha256Hex(nonce), through, traceparent));
    },
    /** Opens the hosted page of the next attempt, from the page after the one before. */
    async startAfter(id: string, nonce: string, how: PageStart) {
      if (!(await ids.isOurs('cs', id))) throw noSuchPage();
      return started(
        await object(id, UPSTREAM_ANSWER_LIMIT_MS).startAfter(await sha256Hex(nonce), { ...how, traceparent }),
      );
    },
    /** What the page of a link needs. */
    async openLink(linkId: string) {
      const { stub, linkHash } = await linkObject(linkId);
      return unwrap<SessionPage>(await stub.page(linkHash));
    },
    /** Opens the hosted page from a link. */
    async startLink(linkId: string, how: PageStart) {
      const { stub, linkHash } = await linkObject(linkId, UPSTREAM_ANSWER_LIMIT_MS);
      return started(await stub.startFromLink(linkHash, { ...how, traceparent }));
    },
  };
}

function started(outcome: Outcome<StartedSession>): Named<StartedSession> {
  return { ...unwrap(outcome), property: outcome.property };
}

function noSuchPage(): ProblemError {
  return new ProblemError('not_found', { detail: 'There is nothing at this address' });
}
