/** What a key may do, and whether that is more than its job needs. */
import { PLATFORM_SCOPES, SCOPE_WORDS, type Scope } from '@innkeep/core/contract';

/** What the server of a hotel's site needs: payments, and what became of them. New keys have these by default. */
export const SITE_SCOPES: readonly Scope[] = ['checkout', 'events'];

/**
 * What a key of a site may do that no site needs, in words; undefined when there is nothing. A key without `checkout` is no
 * site's: its owner has chosen each of its scopes on purpose.
 */
export function powersBeyondSite(scopes: readonly string[]): string | undefined {
  if (!scopes.includes('checkout')) return undefined;
  const powers = PLATFORM_SCOPES.flatMap((scope) =>
    SITE_SCOPES.some((own) => own === scope) || !scopes.includes(scope) ? [] : [`${SCOPE_WORDS[scope]} (${scope})`],
  );
  return powers.length === 0 ? undefined : powers.join(', ');
}
