/** How the routes reach the objects of sessions. An id that nobody made would create an object, and leave its file behind. */
import type { CheckoutSession, CheckoutView } from '@innkeep/core/contract';
import { type AppContext, noteSession } from '../http/app-context.ts';
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
  const { ids, session } = c.get('dependencies');
  const id = sessionIdOf(capability);
  return id !== undefined && (await ids.isOurs('cs', id)) ? session(id, limitMs) : undefined;
}

/** What a guest's call comes to. The log names the session and its hotel. */
export function unwrapNoted<T extends { readonly view: CheckoutView }>(c: AppContext, outcome: Outcome<T>): T {
  const value = unwrap(outcome);
  noteSession(c, { id: value.view.id, property: outcome.property });
  return value;
}
