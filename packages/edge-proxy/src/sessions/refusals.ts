/** What several parts of a session refuse alike. */
import { type Refusal, refuse } from '../http/problem.ts';

interface Named {
  readonly id: string;
}

export function notOpen(session: Named & { readonly state: string }): Refusal {
  const detail = `This session is ${session.state}: that cannot be done now`;
  return refuse('session_not_open', { detail, resource: session.id });
}

/** Its guest came back as somebody who has paid. Like any session that is not open, it says itself how it stands. */
export function isWaitedFor(session: Named): Refusal {
  const detail = 'The guest may have paid: wait until the payment service says so, or resolve the attempt as failed';
  return refuse('session_not_open', { detail, resource: session.id });
}

export function termsChanged(session: Named): Refusal {
  const detail = 'The terms have changed: read the session again, and show it';
  return refuse('terms_changed', { detail, param: 'terms', resource: session.id });
}

export function tooManyAttempts(session: Named): Refusal {
  const detail = 'This session has used up its attempts';
  return refuse('too_many_attempts', { detail, resource: session.id });
}

/** Nobody knows for certain that the attempts before were not paid. */
export function notCertain(session: Named): Refusal {
  const detail = 'The payment service cannot say right now how the last attempt ended; nothing was started';
  return refuse('upstream_unavailable', { detail, resource: session.id, retryAfterSeconds: 5 });
}

/** For links and return addresses: it does not say what was wrong. */
export function noSuchPage(): Refusal {
  return refuse('not_found', { detail: 'There is nothing at this address' });
}
