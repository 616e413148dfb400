/** Typed access to charges and reversals. Ids are checked here, so that a made-up one never reaches an object. */

import type { Charge, Reversal } from '@innkeep/core/contract';
import { isOperationId, isSessionId } from '../ids.ts';
import type { ChargeOptions, CreatedOperation, MoneyOperationObject } from '../objects/money-operation-object.ts';
import { ProblemError, unwrap } from '../problem.ts';
import type { MerchantOperation, NewCharge, NewReversal } from '../records/money-record.ts';
import type { Resolution } from '../records/session-record.ts';
import type { Bindings } from './bindings.ts';
import { objectByName } from './object-by-name.ts';

/** Everything that can be done with charges and reversals. */
export interface MoneyOperations {
  /** Waits for the outcome, 25 seconds at most. */
  charge(charge: NewCharge, options: ChargeOptions): Promise<CreatedOperation>;
  /** Waits for the outcome, 25 seconds at most. */
  reverse(reversal: NewReversal, fingerprint: string): Promise<CreatedOperation>;
  /** What the same request has made before, under an id derived from its key; null when it has made nothing. */
  replay(id: string, fingerprint: string): Promise<CreatedOperation | null>;
  retrieve(id: string, about: { kind: 'charge' | 'reversal'; property: string }): Promise<MerchantOperation>;
  resolve(
    id: string,
    about: { kind: 'charge' | 'reversal'; property: string; resolution: Omit<Resolution, 'at'> },
  ): Promise<Charge | Reversal>;
}

const PREFIX = { charge: 'ch', reversal: 'rv' } as const;

/** The store over the objects of this deployment. */
export function createMoneyOperations(bindings: Bindings): MoneyOperations {
  const object = (id: string): DurableObjectStub<MoneyOperationObject> =>
    objectByName(bindings.MONEY_OPERATIONS, id, bindings);

  const known = (id: string, kind: 'charge' | 'reversal'): DurableObjectStub<MoneyOperationObject> => {
    if (isOperationId(id, PREFIX[kind])) return object(id);
    throw new ProblemError('not_found', { detail: `There is no ${kind} with this id` });
  };

  return {
    charge: async (charge, options) => unwrap<CreatedOperation>(await object(charge.id).charge(charge, options)),
    async reverse(reversal, fingerprint) {
      const { payment } = reversal;
      if (!isSessionId(payment) && !isOperationId(payment, 'ch')) {
        throw new ProblemError('not_found', { detail: 'There is no payment with this id', param: 'payment' });
      }
      return unwrap<CreatedOperation>(await object(reversal.id).reverse(reversal, fingerprint));
    },
    replay: async (id, fingerprint) => unwrap<CreatedOperation | null>(await object(id).replay(id, fingerprint)),
    retrieve: async (id, { kind, property }) => unwrap<MerchantOperation>(await known(id, kind).retrieve(property)),
    resolve: async (id, { kind, property, resolution }) =>
      unwrap<MerchantOperation>(await known(id, kind).resolve(property, resolution)),
  };
}
