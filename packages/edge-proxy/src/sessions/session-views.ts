/** Who may see a session, and what its merchant sees. */
import type { CheckoutSession } from '@innkeep/core/contract';
import { isEqualConstantTime } from '../http/hash.ts';
import { type Outcome, ok, refuse } from '../http/problem.ts';
import { unseal } from '../http/seal.ts';
import { type InvalidProperty, type Property, sealingSecretsOf } from '../properties/configured-properties.ts';
import { type PropertyBindings, propertyOf } from '../properties/properties.ts';
import { toPropertyRefusal } from '../upstream/upstream-failure.ts';
import { cardTokenAad } from './hosted-calls.ts';
import { isAllowedOrigin } from './origins.ts';
import type { GuestCaller } from './session-page.ts';
import { type SessionRecord, toMerchantSession } from './session-record.ts';
import type { SessionStorage } from './session-storage.ts';

/** The record for a guest who holds its client secret, on a page of the property. */
export async function recordForGuest(
  bindings: PropertyBindings,
  store: SessionStorage,
  { secretHash, origin, publicOrigin }: GuestCaller,
): Promise<Outcome<SessionRecord>> {
  const known = store.load()?.property;
  const property = known === undefined ? undefined : await propertyOf(bindings, known);
  const record = store.load();
  const live = record === undefined ? undefined : store.clientSecret();
  const isLive = live !== undefined && isEqualConstantTime(live.hash, secretHash);
  if (record === undefined || property === undefined || !isLive) {
    return refuse('unauthorized', { detail: 'The client secret is wrong or was revoked' });
  }
  if (!isAllowedOrigin(origin, property, publicOrigin)) {
    return refuse('forbidden', { detail: foreignOrigin(property), param: 'Origin' });
  }
  return property.invalid ? toPropertyRefusal(property) : ok(record);
}

/** Whoever still tries is told more. The list of a live hotel is nobody's business. */
function foreignOrigin(property: Property | InvalidProperty): string {
  const detail = 'This origin is not one of the property’s origins';
  return property.invalid || property.livemode ? detail : `${detail}: ${property.origins.join(', ')}`;
}

/** The session as its merchant sees it, with each card's token while it is kept and can be opened. */
export async function merchantView(bindings: PropertyBindings, record: SessionRecord): Promise<CheckoutSession> {
  const sealed = record.attempts.flatMap(({ number, result }) =>
    result?.kind === 'card' && result.sealedToken !== null ? [{ number, text: result.sealedToken }] : [],
  );
  const property = sealed.length === 0 ? undefined : await propertyOf(bindings, record.property);
  if (property === undefined || property.invalid) return toMerchantSession(record, () => null);
  const tokens = new Map<number, string | undefined>();
  for (const { number, text } of sealed) {
    tokens.set(number, await unseal(text, cardTokenAad(record, { number }), sealingSecretsOf(property)));
  }
  return toMerchantSession(record, ({ number }) => tokens.get(number) ?? null);
}
