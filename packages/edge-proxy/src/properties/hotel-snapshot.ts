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

/** Only these settings, of a property or of a hosted request. */
export function hotelSnapshot(settings: KeptSettings | HotelSnapshot): HotelSnapshot {
  const { customerId, hotelID, hotelIDType, user, timeZone, amountUnit } = settings;
  const origin = 'baseUrl' in settings ? new URL(settings.baseUrl).origin : settings.origin;
  return { customerId, hotelID, hotelIDType, user, timeZone, amountUnit, ...(origin !== undefined && { origin }) };
}

/** Whether the property still has to do with the payment service at which something was made. */
export function isOfService(
  { origin }: Pick<HotelSnapshot, 'origin'>,
  { baseUrl, allowedOrigins }: { readonly baseUrl: string; readonly allowedOrigins: readonly string[] },
): boolean {
  return origin === undefined || [baseUrl, ...allowedOrigins].some((each) => new URL(each).origin === origin);
}
