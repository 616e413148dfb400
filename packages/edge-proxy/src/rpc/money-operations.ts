/** Calls of charges and reversals. Ids are checked here, so that a made-up one never reaches an object. */
import { isOperationId, isSessionId } from '../ids.ts';
import type { ChargeOptions, CreatedOperation, MoneyOperationObject } from '../objects/money-operation-object.ts';
import { ProblemError, unwrap } from '../problem.ts';
import type { MerchantOperation, NewCharge, NewReversal } from '../records/money-record.ts';
import type { Resolution } from '../records/session-record.ts';
import type { Bindings } from './bindings.ts';
import { objectByName } from './object-by-name.ts';

type Kind = 'charge' | 'reversal';

const PREFIX = { charge: 'ch', reversal: 'rv' } as const;

/** Everything that can be done with charges and reversals. */
export type MoneyOperations = ReturnType<typeof createMoneyOperations>;

/** The charges and reversals of this deployment. */
export function createMoneyOperations(bindings: Bindings) {
  const object = (id: string): DurableObjectStub<MoneyOperationObject> =>
    objectByName(bindings.MONEY_OPERATIONS, id, bindings);

  const known = (id: string, kind: Kind): DurableObjectStub<MoneyOperationObject> => {
    if (isOperationId(id, PREFIX[kind])) return object(id);
    throw new ProblemError('not_found', { detail: `There is no ${kind} with this id` });
  };

  return {
    /** Waits for the outcome, 25 seconds at most. */
    charge: async (charge: NewCharge, options: ChargeOptions) =>
      unwrap<CreatedOperation>(await object(charge.id).charge(charge, options)),
    /** Waits for the outcome, 25 seconds at most. */
    async reverse(reversal: NewReversal, fingerprint: string) {
      if (!isSessionId(reversal.payment) && !isOperationId(reversal.payment, 'ch')) {
        throw new ProblemError('not_found', { detail: 'There is no payment with this id', param: 'payment' });
      }
      return unwrap<CreatedOperation>(await object(reversal.id).reverse(reversal, fingerprint));
    },
    /** What the same request made before, under an id derived from its key; null when it made nothing. */
    replay: async (id: string, fingerprint: string) =>
      unwrap<CreatedOperation | null>(await object(id).replay(id, fingerprint)),
    /** Reads a charge or a reversal. */
    retrieve: async (id: string, { kind, property }: { readonly kind: Kind; readonly property: string }) =>
      unwrap<MerchantOperation>(await known(id, kind).retrieve(property)),
    /** Ends an unknown outcome with a person’s evidence. */
    resolve: async (
      id: string,
      about: { readonly kind: Kind; readonly property: string; readonly resolution: Omit<Resolution, 'at'> },
    ) => unwrap<MerchantOperation>(await known(id, about.kind).resolve(about.property, about.resolution)),
  };
}
