/** How the routes reach the objects of sessions. An id that nobody made would create an object, and leave its file behind. */
import type { CheckoutSession } from '@innkeep/core/contract';
import type { AppContext } from '../http/app-context.ts';
import { sessionIdOf } from '../http/ids.ts';
import { type Outcome, ProblemError, unwrap } from '../http/problem.ts';
import { type LedgerDependencies, noteRead, withoutToken } from '../ledger/lists.ts';
import type { MerchantContext } from '../properties/caller-env.ts';
import type { CheckoutSessionObject } from './checkout-session-object.ts';

type Session = DurableObjectStub<CheckoutSessionObject>;

/** What the routes of sessions need. */
export interface SessionDependencies extends LedgerDependencies {
  /** The object of a session. `limitMs`: how long a call of it may take, when that is longer than usual. */
  readonly session: (id: string, limitMs?: number) => Session;
}

/** Asks a session of the hotel that calls. */
export async function askSession<T = CheckoutSession>(
  c: MerchantContext<SessionDependencies>,
  id: string,
  call: (session: Session, property: string) => Promise<Outcome<T>>,
): Promise<T> {
  const { ids, session } = c.get('dependencies');
  const property = c.get('property').id;
  if (await ids.isKnown('cs', id, property)) return forKey(c, unwrap(await call(session(id), property)));
  throw new ProblemError('not_found', { detail: 'There is no checkout session with this id' });
}

/** What is shown of a session: the tokens of stored cards only to keys with the scope `tokens`, and the audit records who read one. */
export async function forKey<T>(c: MerchantContext<LedgerDependencies>, shown: T): Promise<T> {
  if (!c.get('scopes').includes('tokens')) return withoutToken(Object(shown)) as T;
  const session = Object(shown) as CheckoutSession | { readonly attempts?: undefined };
  if (session.attempts?.some(({ result }) => result?.kind === 'card' && result.token !== null)) {
    await noteRead(c, { action: 'card_token.read', resource: session.id });
  }
  return shown;
}

/** The session of a client secret or a link; undefined when this deployment has not made it. */
export async function sessionOfCapability(
  c: AppContext<SessionDependencies>,
  capability: string,
  limitMs?: number,
): Promise<Session | undefined> {
  const id = sessionIdOf(capability);
  return id === undefined ? undefined : sessionOfGuest(c, id, limitMs);
}

/** The session of an id that a guest's call has; undefined when this deployment has not made it. The log names it, whatever comes of the call. */
export async function sessionOfGuest(
  c: AppContext<SessionDependencies>,
  id: string,
  limitMs?: number,
): Promise<Session | undefined> {
  const { ids, session } = c.get('dependencies');
  if (!(await ids.isOurs('cs', id))) return undefined;
  c.get('logFields').resource = id;
  return session(id, limitMs);
}

/** What a guest's call comes to. The log names the hotel. */
export function unwrapNoted<T>(c: AppContext, outcome: Outcome<T>): T {
  if (outcome.property !== undefined) c.get('logFields').property = outcome.property;
  return unwrap(outcome);
}
