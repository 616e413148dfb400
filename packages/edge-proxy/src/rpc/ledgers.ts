/** Typed access to the ledgers, one per property. */

import type { WebhookEndpoint } from '@innkeep/core/contract';
import type { LedgerObject } from '../objects/ledger-object.ts';
import { unwrap } from '../problem.ts';
import type { ListPage, ListQuery } from '../storage/ledger-storage.ts';
import type { Bindings } from './bindings.ts';
import { objectByName } from './object-by-name.ts';

/** Everything that can be read from, or asked of, a property's ledger. Items are JSON texts. */
export interface Ledgers {
  list(property: string, query: ListQuery): Promise<ListPage>;
  range(property: string, query: ListQuery): Promise<ListPage>;
  events(property: string, after: number, limit: number): Promise<{ items: string[]; nextAfter: number }>;
  redeliver(property: string, eventId: string): Promise<string>;
  webhookEndpoints(property: string): Promise<WebhookEndpoint[]>;
}

/** The store over the objects of this deployment. */
export function createLedgers(bindings: Bindings): Ledgers {
  const object = (property: string): DurableObjectStub<LedgerObject> =>
    objectByName(bindings.LEDGERS, property, bindings);
  return {
    list: (property, query) => object(property).list(query),
    range: (property, query) => object(property).range(query),
    events: (property, after, limit) => object(property).events(after, limit),
    webhookEndpoints: (property) => object(property).webhookEndpoints(property),
    redeliver: async (property, eventId) => unwrap<string>(await object(property).redeliver(property, eventId)),
  };
}
