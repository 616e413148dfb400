/** What several parts of a session refuse alike. */
import { type Refusal, refuse } from '../problem.ts';

export function notOpen(session: { readonly id: string }): Refusal {
  return refuse('session_not_open', { detail: 'This session can no longer be started', resource: session.id });
}

/** For links and return addresses: it does not say what was wrong. */
export function noSuchPage(): Refusal {
  return refuse('not_found', { detail: 'There is nothing at this address' });
}
