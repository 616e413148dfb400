/** Typed access to the session objects. Routes never touch a stub; a refusal arrives as a thrown problem. */
import type { CheckoutPresentation, CheckoutSession, CheckoutView } from '@innkeep/core/contract';
import { sha256Hex } from '../crypto/hash.ts';
import { isSessionId, newCapability, sessionIdOf } from '../ids.ts';
import type { CheckoutSessionObject } from '../objects/checkout-session-object.ts';
import { type Outcome, ProblemError, unwrap } from '../problem.ts';
import type { GuestCaller, SessionPage, StartedSession } from '../records/session-page.ts';
import type { NewSession, Resolution } from '../records/session-record.ts';
import type { Bindings } from './bindings.ts';
import { objectByName } from './object-by-name.ts';
import { createSessionIds, type SessionIds } from './session-ids.ts';

/** A guest's call before its secret is hashed. */
export interface Guest {
  readonly clientSecret: string;
  readonly origin: string | null;
  readonly publicOrigin: string;
}

/** How many earlier tries of a link are asked whether they were paid after all. */
const MAX_EARLIER_TRIES = 20;

/** Everything that can be done with checkout sessions. */
export interface CheckoutSessions {
  /** Makes the ids of sessions to be created. */
  readonly ids: Pick<SessionIds, 'create' | 'derive'>;
  create(session: NewSession, fingerprint: string): Promise<{ session: CheckoutSession; clientSecret: string | null }>;
  /** What the same request has made before, under an id derived from its key; null when it has made nothing. */
  replay(id: string, fingerprint: string): Promise<CheckoutSession | null>;
  retrieve(id: string, property: string): Promise<CheckoutSession>;
  expire(id: string, property: string): Promise<CheckoutSession>;
  refresh(id: string, property: string): Promise<CheckoutSession>;
  resolve(id: string, property: string, resolution: Omit<Resolution, 'at'>): Promise<CheckoutSession>;
  createClientSecret(id: string, property: string, revokeOthers: boolean): Promise<string>;
  createLink(id: string, property: string): Promise<{ linkId: string; expiresAt: string }>;
  read(guest: Guest): Promise<CheckoutView>;
  start(guest: Guest, how: { presentation: CheckoutPresentation; publicUrl: string }): Promise<StartedSession>;
  returned(id: string, nonce: string, through: 'success' | 'abort'): Promise<SessionPage>;
  openLink(linkId: string): Promise<SessionPage>;
  startLink(linkId: string, publicUrl: string): Promise<StartedSession>;
}

/** The store over the objects of this deployment. */
export function createCheckoutSessions(bindings: Bindings): CheckoutSessions {
  const object = (id: string): DurableObjectStub<CheckoutSessionObject> =>
    objectByName(bindings.CHECKOUT_SESSIONS, id, bindings);

  const ids = createSessionIds(bindings);

  /** For merchants, who have shown their key: the form will do. */
  const known = (id: string): DurableObjectStub<CheckoutSessionObject> => {
    if (!isSessionId(id)) throw new ProblemError('not_found', { detail: 'There is no checkout session with this id' });
    return object(id);
  };

  const guestObject = async (
    guest: Guest,
  ): Promise<{ stub: DurableObjectStub<CheckoutSessionObject>; caller: GuestCaller }> => {
    const id = sessionIdOf(guest.clientSecret);
    // Only ids that we have made reach an object: a made-up one would create it, and leave its file behind.
    if (id === undefined || !(await ids.isOurs(id))) {
      throw new ProblemError('unauthorized', { detail: 'The client secret is wrong or was revoked' });
    }
    const { origin, publicOrigin } = guest;
    return { stub: object(id), caller: { secretHash: await sha256Hex(guest.clientSecret), origin, publicOrigin } };
  };

  const linkObject = async (
    linkId: string,
  ): Promise<{ stub: DurableObjectStub<CheckoutSessionObject>; linkHash: string }> => {
    const id = sessionIdOf(linkId);
    if (id === undefined || !(await ids.isOurs(id))) throw noSuchPage();
    return { stub: object(id), linkHash: await sha256Hex(linkId) };
  };

  /**
   * Follows a link to the last session of its chain: every link of a session leads to the same one. Money that showed late
   * on an earlier try ends the chain there, so that nobody is asked to pay again.
   */
  const openLink = async (linkId: string): Promise<{ page: SessionPage; current: string }> => {
    const { stub, linkHash } = await linkObject(linkId);
    let { current } = unwrap<{ current: string }>(await stub.linkTarget(linkHash));
    let page = unwrap<SessionPage>(await object(current).page());
    while (page.successor !== null) {
      current = page.successor;
      page = unwrap<SessionPage>(await object(current).page());
    }
    const last = { page, current };
    for (let tries = 0; page.previous !== null && tries < MAX_EARLIER_TRIES; tries += 1) {
      current = page.previous;
      page = unwrap<SessionPage>(await object(current).page());
      if (page.view.status === 'succeeded' || page.view.status === 'unknown') return { page, current };
    }
    return last;
  };

  return {
    ids,
    async create(session, fingerprint) {
      const clientSecret = newCapability(session.id);
      const secretHash = await sha256Hex(clientSecret);
      const created: Outcome<{ session: CheckoutSession; isReplay: boolean }> = await object(session.id).create(
        session,
        {
          fingerprint,
          secretHash,
        },
      );
      const { session: view, isReplay } = unwrap(created);
      return { session: view, clientSecret: isReplay ? null : clientSecret };
    },
    replay: async (id, fingerprint) => unwrap<CheckoutSession | null>(await object(id).replay(fingerprint)),
    retrieve: async (id, property) => unwrap<CheckoutSession>(await known(id).retrieve(property)),
    expire: async (id, property) => unwrap<CheckoutSession>(await known(id).expire(property)),
    refresh: async (id, property) => unwrap<CheckoutSession>(await known(id).refresh(property)),
    resolve: async (id, property, resolution) => unwrap<CheckoutSession>(await known(id).resolve(property, resolution)),
    async createClientSecret(id, property, revokeOthers) {
      const stub = known(id);
      const clientSecret = newCapability(id);
      unwrap(await stub.addClientSecret(property, { secretHash: await sha256Hex(clientSecret), revokeOthers }));
      return clientSecret;
    },
    async createLink(id, property) {
      const stub = known(id);
      const linkId = newCapability(id);
      const { expiresAt } = unwrap<{ expiresAt: string }>(await stub.addLink(property, await sha256Hex(linkId)));
      return { linkId, expiresAt };
    },
    async read(guest) {
      const { stub, caller } = await guestObject(guest);
      return unwrap<CheckoutView>(await stub.read(caller));
    },
    async start(guest, how) {
      const { stub, caller } = await guestObject(guest);
      return unwrap<StartedSession>(await stub.start(caller, how));
    },
    async returned(id, nonce, through) {
      if (!(await ids.isOurs(id))) throw noSuchPage();
      return unwrap<SessionPage>(await object(id).returned(await sha256Hex(nonce), through));
    },
    openLink: async (linkId) => (await openLink(linkId)).page,
    async startLink(linkId, publicUrl) {
      const { page, current } = await openLink(linkId);
      if (!['failed', 'canceled', 'expired'].includes(page.view.status)) {
        return unwrap<StartedSession>(await object(current).startFromLink(publicUrl));
      }
      const { stub, linkHash } = await linkObject(linkId);
      await object(current).lookBeforeNextTry();
      // The same id for everybody who comes at once, and after a crash in between.
      const successor = await ids.derive(['successor', current]);
      const moved = unwrap<{ current: string }>(await object(current).succeed(successor));
      await stub.moveLink(linkHash, moved.current);
      return unwrap<StartedSession>(await object(moved.current).startFromLink(publicUrl));
    },
  };
}

function noSuchPage(): ProblemError {
  return new ProblemError('not_found', { detail: 'There is nothing at this address' });
}
