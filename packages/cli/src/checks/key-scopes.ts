import type { PropertyInput } from '@innkeep/core/contract';
import { powersBeyondSite } from '../property/key-scopes.ts';
import { type CheckResult, ok } from './check-result.ts';

/** Names the keys that may do more than the server of a site needs. Only people know who has which key. */
export function adviseKeyScopes({ merchantKeys }: Pick<PropertyInput, 'merchantKeys'>): CheckResult {
  const check = 'key-scopes';
  const broad = merchantKeys.flatMap(({ id, scopes }) => {
    const powers = powersBeyondSite(scopes);
    return powers === undefined ? [] : [`“${id}” can also ${powers}`];
  });
  if (broad.length === 0) return ok(check, 'No key that makes sessions can do more than a site’s server needs.');
  return {
    check,
    status: 'advice',
    message: `The key ${broad.join('; ')}.`,
    fix: 'If a site’s server has it, give that server a key with only checkout and events: innkeep hotel key add.',
  };
}
