/** What several parts of a charge or a reversal refuse alike. */
import { type Refusal, refuse } from '../http/problem.ts';

export function unavailable(detail: string, retryAfterSeconds = 5): Refusal {
  return refuse('upstream_unavailable', { detail, retryAfterSeconds });
}

export function inProgress(resource: string): Refusal {
  const detail = 'The first call with this key is still running; ask again, or read the resource';
  return refuse('idempotency_in_progress', { detail, resource, retryAfterSeconds: 1 });
}
