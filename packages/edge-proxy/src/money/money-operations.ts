/** Calls of charges and reversals. Ids are checked here, so that a made-up one never reaches an object. */

import { ProblemError, unwrap } from '../http/problem.ts';
import type { TaggedIds } from '../ledger/tagged-ids.ts';
import { objectByName, UPSTREAM_ANSWER_LIMIT_MS } from '../objects/object-by-name.ts';
import type { Resolution } from '../records/resolution.ts';
import type { RequestTrace } from '../telemetry/request-trace.ts';
import type {
  ChargeOptions,
  CreatedOperation,
  MoneyOperationBindings,
  MoneyOperationObject,
  ReversalOptions,
} from './money-operation-object.ts';
import type { MerchantOperation, NewCharge, NewReversal } from './money-record.ts';

/** What the routes of charges and reversals need. */
export interface MoneyDependencies {
  readonly operations: MoneyOperations;
}

type Kind = 'charge' | 'reversal';

const PREFIX = { charge: 'ch', reversal: 'rv' } as const;

/** Everything that can be done with charges and reversals. */
export type MoneyOperations = ReturnType<typeof createMoneyOperations>;

/** The charges and reversals of this deployment. `trace`: of the request that the calls are made for. */
export function createMoneyOperations(
  bindings: Pick<MoneyOperationBindings, 'MONEY_OPERATIONS' | 'JURISDICTION'>,
  ids: TaggedIds,
  trace?: RequestTrace,
) {
  const object = (id: string, limitMs?: number): DurableObjectStub<MoneyOperationObject> =>
    objectByName(bindings.MONEY_OPERATIONS, id, bindings, { trace, limitMs });

  const known = async (id: string, kind: Kind, property: string): Promise<DurableObjectStub<MoneyOperationObject>> => {
    if (await ids.isKnown(PREFIX[kind], id, property)) return object(id);
    throw new ProblemError('not_found', { detail: `There is no ${kind} with this id` });
  };

  return {
    /** The id of what a key of this hotel stands for: always the same. */
    idOf: (kind: Kind, property: string, key: string) => ids.derive(PREFIX[kind], [property, kind, key]),
    /** Waits for the outcome, 25 seconds at most. */
    charge: async (charge: NewCharge, options: ChargeOptions) =>
      unwrap<CreatedOperation>(
        await object(charge.id, UPSTREAM_ANSWER_LIMIT_MS).charge(charge, {
          ...options,
          traceparent: trace?.traceparent,
        }),
      ),
    /** Waits for the outcome, 25 seconds at most. */
    async reverse(reversal: NewReversal, options: ReversalOptions) {
      const { payment, property } = reversal;
      if (!(await ids.isKnown('cs', payment, property)) && !(await ids.isKnown('ch', payment, property))) {
        throw new ProblemError('not_found', { detail: 'There is no payment with this id', param: 'payment' });
      }
      const asked = { ...options, traceparent: trace?.traceparent };
      return unwrap<CreatedOperation>(await object(reversal.id, UPSTREAM_ANSWER_LIMIT_MS).reverse(reversal, asked));
    },
    /** What the same request made before, under an id derived from its key; null when it made nothing. */
    replay: async (id: string, fingerprint: string) =>
      unwrap<CreatedOperation | null>(await object(id).replay(id, fingerprint)),
    /** Reads a charge or a reversal. */
    retrieve: async (id: string, { kind, property }: { readonly kind: Kind; readonly property: string }) =>
      unwrap<MerchantOperation>(await (await known(id, kind, property)).retrieve(property)),
    /** Ends an unknown outcome with a person’s evidence. */
    async resolve(
      id: string,
      about: { readonly kind: Kind; readonly property: string; readonly resolution: Omit<Resolution, 'at'> },
    ) {
      const { kind, property, resolution } = about;
      return unwrap<MerchantOperation>(await (await known(id, kind, property)).resolve(property, resolution));
    },
  };
}
