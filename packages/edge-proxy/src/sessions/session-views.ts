/** Who may see a session, and what its merchant sees. */
import type { CheckoutSession } from '@innkeep/core/contract';
import { sealingSecretsOf } from '../config/properties.ts';
import { propertyOf, type Settings } from '../config/settings.ts';
import { unseal } from '../crypto/seal.ts';
import { isAllowedOrigin } from '../policy/origins.ts';
import { type Outcome, refuse } from '../problem.ts';
import type { GuestCaller } from '../records/session-page.ts';
import { type SessionRecord, toMerchantSession } from '../records/session-record.ts';
import type { SessionStorage } from '../storage/session-storage.ts';
import { cardTokenPlace } from '../upstream/hosted-calls.ts';
import { toPropertyRefusal } from '../upstream/upstream-failure.ts';

/** The record for a guest who holds one of its client secrets, on a page of the property. */
export function recordForGuest(
  settings: Settings,
  store: SessionStorage,
  { secretHash, origin, publicOrigin }: GuestCaller,
): Outcome<SessionRecord> {
  const record = store.load();
  if (record === undefined || !store.hasClientSecret(secretHash)) {
    return refuse('unauthorized', { detail: 'The client secret is wrong or was revoked' });
  }
  const property = propertyOf(settings, record.property);
  if (!isAllowedOrigin(origin, property, publicOrigin)) {
    return refuse('forbidden', { detail: 'This origin is not one of the property’s origins', param: 'Origin' });
  }
  return property.broken ? toPropertyRefusal(property) : { ok: true, value: record };
}

/** The session as its merchant sees it, with the card's token while it is kept and can be opened. */
export async function merchantView(settings: Settings, record: SessionRecord): Promise<CheckoutSession> {
  const { result } = record;
  const property = propertyOf(settings, record.property);
  if (result?.kind !== 'card' || result.sealedToken === null || property.broken) return toMerchantSession(record, null);
  const token = await unseal(result.sealedToken, cardTokenPlace(record), sealingSecretsOf(property));
  return toMerchantSession(record, token ?? null);
}
