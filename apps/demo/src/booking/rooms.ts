/** A room type of the demo hotel. `nightlyRate` is in minor units of the hotel's currency. */
export interface Room {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Size, guests, view. */
  readonly details: string;
  readonly nightlyRate: number;
}

export const HOTEL_CURRENCY = 'EUR';

/** What the demo hotel lets, cheapest first. */
export const ROOMS: readonly Room[] = [
  {
    id: 'forest',
    name: 'Forest Room',
    description: 'Queen bed, moss-green walls, a window into the pines.',
    details: '18 m² · 2 guests · forest view',
    nightlyRate: 12_000,
  },
  {
    id: 'lake',
    name: 'Lake Room',
    description: 'King bed, balcony over the water, breakfast at the window.',
    details: '24 m² · 2 guests · lake view',
    nightlyRate: 16_500,
  },
  {
    id: 'aurora',
    name: 'Aurora Suite',
    description: 'Two rooms under a glass roof. You fall asleep to the lights.',
    details: '46 m² · 4 guests · sky view',
    nightlyRate: 29_000,
  },
];
