/** Calls of the session objects. Routes never touch a stub; a refusal arrives as a thrown problem. */
import type { CheckoutPresentation, CheckoutSession, CheckoutView } from '@innkeep/core/contract';
import { sha256Hex } from '../crypto/hash.ts';
import { isSessionId, newCapability, sessionIdOf } from '../ids.ts';
import type { CheckoutSessionObject } from '../objects/checkout-session-object.ts';
import { endedWithoutMoney } from '../policy/session-machine.ts';
import { type Outcome, ProblemError, unwrap } from '../problem.ts';
import type { GuestCaller, SessionPage, StartedSession } from '../records/session-page.ts';
import type { NewSession, Resolution } from '../records/session-record.ts';
import type { Bindings } from './bindings.ts';
import { objectByName } from './object-by-name.ts';
import { createSessionIds } from './session-ids.ts';

/** A guest's call before its secret is hashed. */
export type Guest = Omit<GuestCaller, 'secretHash'> & { readonly clientSecret: string };

type Stub = DurableObjectStub<CheckoutSessionObject>;

/** How many earlier tries of a link are asked whether they were paid after all. */
const MAX_EARLIER_TRIES = 20;

/** Everything that can be done with checkout sessions. */
export type CheckoutSessions = ReturnType<typeof createCheckoutSessions>;

/** The checkout sessions of this deployment. */
export function createCheckoutSessions(bindings: Bindings) {
  const object = (id: string): Stub => objectByName(bindings.CHECKOUT_SESSIONS, id, bindings);

  const ids = createSessionIds(bindings);

  /** For merchants, who have shown their key, the form of the id is enough. */
  const known = (id: string): Stub => {
    if (!isSessionId(id)) throw new ProblemError('not_found', { detail: 'There is no checkout session with this id' });
    return object(id);
  };

  /** The object that a capability belongs to. An id that we did not make would create one, and leave its file behind. */
  const ours = async (capability: string): Promise<Stub | undefined> => {
    const id = sessionIdOf(capability);
    return id !== undefined && (await ids.isOurs(id)) ? object(id) : undefined;
  };

  const guestObject = async ({ clientSecret, ...from }: Guest): Promise<{ stub: Stub; caller: GuestCaller }> => {
    const stub = await ours(clientSecret);
    if (stub === undefined)
      throw new ProblemError('unauthorized', { detail: 'The client secret is wrong or was revoked' });
    return { stub, caller: { ...from, secretHash: await sha256Hex(clientSecret) } };
  };

  const linkObject = async (linkId: string): Promise<{ stub: Stub; linkHash: string }> => {
    const stub = await ours(linkId);
    if (stub === undefined) throw noSuchPage();
    return { stub, linkHash: await sha256Hex(linkId) };
  };

  /**
   * Follows a link to the last session of its chain: every link of a session leads to the same one. Money that showed late
   * on an earlier try ends the chain there, so that nobody is asked to pay again.
   */
  const follow = async (linkId: string): Promise<{ page: SessionPage; current: string }> => {
    const { stub, linkHash } = await linkObject(linkId);
    const pageOf = async (id: string): Promise<SessionPage> => unwrap<SessionPage>(await object(id).page());
    let { current } = unwrap<{ current: string }>(await stub.linkTarget(linkHash));
    let page = await pageOf(current);
    while (page.successor !== null) {
      current = page.successor;
      page = await pageOf(current);
    }
    const last = { page, current };
    for (let tries = 0; page.previous !== null && tries < MAX_EARLIER_TRIES; tries += 1) {
      current = page.previous;
      page = await pageOf(current);
      if (page.view.status === 'succeeded' || page.view.status === 'unknown') return { page, current };
    }
    return last;
  };

  return {
    /** Makes the ids of sessions to be created. */
    ids,
    /** Makes a session; the client secret is null when an earlier call made it. */
    async create(session: NewSession, fingerprint: string) {
      const clientSecret = newCapability(session.id);
      const options = { fingerprint, secretHash: await sha256Hex(clientSecret) };
      const created = unwrap<{ session: CheckoutSession; isReplay: boolean }>(
        await object(session.id).create(session, options),
      );
      return { session: created.session, clientSecret: created.isReplay ? null : clientSecret };
    },
    /** What the same request made before, under an id derived from its key; null when it made nothing. */
    replay: async (id: string, fingerprint: string) =>
      unwrap<CheckoutSession | null>(await object(id).replay(fingerprint)),
    /** The session of an id derived from a key; null while there is none. */
    async find(id: string, property: string) {
      const found: Outcome<CheckoutSession> = await object(id).retrieve(property);
      return !found.ok && found.code === 'not_found' ? null : unwrap<CheckoutSession>(found);
    },
    /** Reads a session as the hotel sees it. */
    retrieve: async (id: string, property: string) => unwrap<CheckoutSession>(await known(id).retrieve(property)),
    /** Ends a session that nobody has started, or takes its links back. */
    expire: async (id: string, property: string) => unwrap<CheckoutSession>(await known(id).expire(property)),
    /** Looks at the payment service now. */
    refresh: async (id: string, property: string) => unwrap<CheckoutSession>(await known(id).refresh(property)),
    /** Ends an uncertain outcome with a person’s evidence. */
    resolve: async (id: string, property: string, resolution: Omit<Resolution, 'at'>) =>
      unwrap<CheckoutSession>(await known(id).resolve(property, resolution)),
    /** Makes a further client secret. */
    async createClientSecret(id: string, property: string, revokeOthers: boolean) {
      const stub = known(id);
      const clientSecret = newCapability(id);
      unwrap(await stub.addClientSecret(property, { secretHash: await sha256Hex(clientSecret), revokeOthers }));
      return clientSecret;
    },
    /** Makes a link that pays the session. */
    async createLink(id: string, property: string) {
      const stub = known(id);
      const linkId = newCapability(id);
      const { expiresAt } = unwrap<{ expiresAt: string }>(await stub.addLink(property, await sha256Hex(linkId)));
      return { linkId, expiresAt };
    },
    /** Reads a session as its guest sees it. */
    async read(guest: Guest) {
      const { stub, caller } = await guestObject(guest);
      return unwrap<CheckoutView>(await stub.read(caller));
    },
    /** Opens the hosted page, or the same page again. */
    async start(guest: Guest, how: { readonly presentation: CheckoutPresentation; readonly publicUrl: string }) {
      const { stub, caller } = await guestObject(guest);
      return unwrap<StartedSession>(await stub.start(caller, how));
    },
    /** What the page after the hosted one needs, once the nonce fits. */
    async returned(id: string, nonce: string, through: 'success' | 'abort') {
      if (!(await ids.isOurs(id))) throw noSuchPage();
      return unwrap<SessionPage>(await object(id).returned(await sha256Hex(nonce), through));
    },
    /** What the page of a link needs. */
    openLink: async (linkId: string) => (await follow(linkId)).page,
    /** Opens the hosted page from a link; after an end without money, that of a new session. */
    async startLink(linkId: string, publicUrl: string) {
      const { page, current } = await follow(linkId);
      if (!endedWithoutMoney(page.view.status)) {
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
