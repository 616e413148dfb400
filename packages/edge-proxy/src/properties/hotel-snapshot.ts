/** What of a property's settings a request under way keeps. Pure. */
import type { PropertyFields } from '@innkeep/core/contract';

type Kept = Readonly<
  Pick<PropertyFields, 'customerId' | 'hotelID' | 'hotelIDType' | 'user' | 'timeZone' | 'amountUnit'>
>;

/** Settings of which something is kept. */
export type KeptSettings = Kept & Readonly<Pick<PropertyFields, 'baseUrl'>>;

/** What a hosted request, a charge or a reversal keeps using, even if the property is edited meanwhile. */
export interface HotelSnapshot extends Kept {
  /** Of the payment service that it was made at, whose ids mean something else elsewhere. Older versions leave it out. */
  readonly origin?: string;
}

/** Only these settings, of a property or of a hosted request, whose state was trusted to be where it is. */
export function hotelSnapshot(
  settings: KeptSettings | (HotelSnapshot & { readonly stateRetrivalUrl?: string }),
): HotelSnapshot {
  const { customerId, hotelID, hotelIDType, user, timeZone, amountUnit } = settings;
  const address = 'baseUrl' in settings ? settings.baseUrl : (settings.origin ?? settings.stateRetrivalUrl);
  const origin = address && new URL(address).origin;
  return { customerId, hotelID, hotelIDType, user, timeZone, amountUnit, ...(origin && { origin }) };
}

/** Whether the property still has to do with the payment service at which something was made, and counts as it did there. */
export function isOfService(
  { origin, amountUnit }: Pick<HotelSnapshot, 'origin' | 'amountUnit'>,
  now: Readonly<Pick<PropertyFields, 'baseUrl' | 'allowedOrigins' | 'amountUnit'>>,
): boolean {
  if (origin === undefined || origin === new URL(now.baseUrl).origin) return true;
  return amountUnit === now.amountUnit && now.allowedOrigins.some((each) => new URL(each).origin === origin);
}
