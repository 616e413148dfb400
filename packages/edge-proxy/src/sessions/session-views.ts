/** Who may see a session, and what its merchant sees. */
import type { CheckoutSession, CheckoutView } from '@innkeep/core/contract';
import { isEqualConstantTime } from '../http/hash.ts';
import { type Outcome, ok, type ProblemDetails, refuse } from '../http/problem.ts';
import { unseal } from '../http/seal.ts';
import { toTimestamp } from '../http/timestamp.ts';
import { type Property, sealingSecretsOf } from '../properties/configured-properties.ts';
import { hotelSnapshot, isOfService } from '../properties/hotel-snapshot.ts';
import { type PropertyBindings, propertyOf } from '../properties/properties.ts';
import { firstSuccess } from '../records/first-success.ts';
import { OTHER_MODE } from '../records/other-mode.ts';
import type { ChargedService, StoredCard } from '../records/stored-card.ts';
import { keptId } from '../upstream/upstream-client.ts';
import { toPropertyRefusal } from '../upstream/upstream-failure.ts';
import { cardTokenAad } from './hosted-calls.ts';
import { isAllowedOrigin } from './origins.ts';
import type { GuestCaller } from './session-page.ts';
import { isOfMode, type SessionRecord, toCheckoutView, toMerchantSession } from './session-record.ts';
import type { SessionStorage } from './session-storage.ts';
import { keptTokenUntil } from './session-transitions.ts';

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
  // Nobody can tell whose page it is.
  if (property.invalid) return toPropertyRefusal(property);
  if (isAllowedOrigin(origin, property, publicOrigin)) return ok(record);
  return refuse('forbidden', { detail: foreignOrigin(property), param: 'Origin' });
}

/** A test hotel is told more. The list of a live hotel is nobody's business. */
function foreignOrigin({ livemode, origins }: Property): string {
  const detail = 'This origin is not one of the property’s origins';
  return livemode ? detail : `${detail}: ${origins.join(', ')}`;
}

/** The card that a session has stored, for a charge; or why there is none. */
export async function storedCard(
  bindings: PropertyBindings,
  record: SessionRecord,
  service?: ChargedService,
): Promise<Outcome<StoredCard>> {
  const now = Date.now();
  // That of its result; a later one only when the token of that is gone.
  const attempt = firstSuccess(record.attempts.filter((each) => (keptTokenUntil(each) ?? 0) > now));
  const card = attempt?.result?.kind === 'card' ? attempt.result : undefined;
  const sealed = card?.sealedToken ?? null;
  if (attempt === undefined || sealed === null) return refuse('invalid_request', noCard(record));
  const property = await propertyOf(bindings, record.property);
  if (property.invalid) return toPropertyRefusal(property);
  if (!isOfService(hotelSnapshot(attempt.hosted), service ?? property)) {
    const detail =
      'This card was stored at an address of the payment service that is neither baseUrl nor in allowedOrigins, or in another amountUnit';
    return refuse('invalid_request', { detail, param: 'card', resource: record.id });
  }
  if ((service ?? property).livemode !== record.livemode) {
    return refuse('invalid_request', { detail: OTHER_MODE, param: 'card', resource: record.id });
  }
  const token = await unseal(sealed, cardTokenAad(record, attempt), sealingSecretsOf(property));
  const serviceProvider = keptId(card?.serviceProvider ?? attempt.hosted.serviceProvider) ?? property.providerHosted;
  if (token !== undefined) return ok({ token, serviceProvider });
  const detail = 'The card of this session cannot be opened with the keys of this deployment';
  return refuse('property_unavailable', { detail, param: 'SEALING_KEYS', resource: record.id });
}

function noCard({ id: resource, attempts, redactedAt }: SessionRecord): ProblemDetails {
  const [result] = attempts.flatMap((each) => (each.result?.kind === 'card' ? [each.result] : []));
  const until = redactedAt === undefined || result === undefined ? result?.tokenKeptUntil : toTimestamp(redactedAt);
  const detail = until == null ? 'This session has stored no card' : `The card of this session was kept until ${until}`;
  return { detail, param: 'card', resource };
}

/** The session as its guest sees it: as real as its hotel is today until it is tried, and over where its hotel cannot take it any more. */
export async function guestView(bindings: PropertyBindings, record: SessionRecord): Promise<CheckoutView> {
  const view = toCheckoutView(record);
  const property = view.status === 'open' ? await propertyOf(bindings, record.property) : undefined;
  if (property === undefined || property.invalid) return view;
  if (property.isRemoved || !isOfMode(record, property.livemode))
    return { ...view, status: 'expired', final: true, error: null };
  return { ...view, livemode: property.livemode };
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
