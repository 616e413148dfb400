import type { CreateDeskSession } from '@innkeep/core/merchant';

/** Somebody who works at the reception, and what they may do with payments. */
export interface Employee {
  /** Stands beside everything they do. */
  readonly id: string;
  readonly name: string;
  readonly duty: string;
  readonly grant: Pick<CreateDeskSession, 'features' | 'maxReversal'>;
}

/** Everybody at this reception. A real hotel asks its own directory, and for a password. */
export const STAFF: readonly Employee[] = [
  {
    id: 'anna',
    name: 'Anna, reception',
    duty: 'refunds up to €200.00 a day, charges cards, sends links',
    grant: { features: ['read', 'reverse', 'charge', 'link'], maxReversal: { EUR: 20_000 } },
  },
  {
    id: 'max',
    name: 'Max, front office manager',
    duty: 'refunds without a limit, resolves unknown payments, exports the day',
    grant: { features: ['read', 'reverse', 'charge', 'link', 'resolve', 'export'] },
  },
];
