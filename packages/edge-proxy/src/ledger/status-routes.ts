/** `/v1/status`: how the hotel is doing, for those who watch over it. */

import type { PropertyStatus } from '@innkeep/core/contract';
import { describe } from '../http/describe.ts';
import { json } from '../http/response-headers.ts';
import type { Property } from '../properties/configured-properties.ts';
import { merchantApp } from '../properties/resource-app.ts';
import type { LedgerDependencies } from './lists.ts';

export interface StatusDependencies extends LedgerDependencies {
  /** What is known of the payment service of a hotel. */
  readonly upstreamStatus: (property: Property) => Promise<PropertyStatus['upstream']['status']>;
  /** How many payments of all hotels may be pending at once; null where nothing of this deployment limits it. */
  readonly maxPending: number | null;
}

export const status = merchantApp<StatusDependencies>({ tag: 'Service' }).get(
  '/',
  describe({ id: 'retrieveStatus', scopes: ['events', 'read'] }),
  async (c) => {
    const property = c.get('property');
    const { ledger, maxPending, upstreamStatus } = c.get('dependencies');
    const [figures, upstream] = await Promise.all([
      ledger(property.id).status(property.id),
      upstreamStatus(property).catch((): PropertyStatus['upstream']['status'] => 'unknown'),
    ]);
    return json(c, { ...figures, upstream: { status: upstream }, server: { maxPending } });
  },
);
