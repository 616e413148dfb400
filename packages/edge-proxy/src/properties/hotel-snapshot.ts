/** What of a property's settings a request under way keeps. Pure. */
import type { PropertyFields } from '@innkeep/core/contract';

/** What a hosted request, a charge or a reversal keeps using, even if the property is edited meanwhile. */
export type HotelSnapshot = Readonly<
  Pick<PropertyFields, 'customerId' | 'hotelID' | 'hotelIDType' | 'user' | 'timeZone' | 'amountUnit'>
>;

/** Only these settings, of a property or of a hosted request. */
export function hotelSnapshot(settings: HotelSnapshot): HotelSnapshot {
  const { customerId, hotelID, hotelIDType, user, timeZone, amountUnit } = settings;
  return { customerId, hotelID, hotelIDType, user, timeZone, amountUnit };
}
