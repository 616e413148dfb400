/** How the routes reach the objects of charges and reversals. An id that nobody made would create an object. */
import { type Outcome, ProblemError, unwrap } from '../http/problem.ts';
import type { LedgerDependencies } from '../ledger/lists.ts';
import type { MerchantContext } from '../properties/caller-env.ts';
import type { CardToken, ChargedService } from '../records/stored-card.ts';
import type { MoneyOperationObject } from './money-operation-object.ts';
import type { MerchantOperation } from './money-record.ts';

type Operation = DurableObjectStub<MoneyOperationObject>;

/** What the routes of charges and reversals need. */
export interface MoneyDependencies extends LedgerDependencies {
  /** The object of a charge or a reversal. `limitMs`: how long a call of it may take, when that is longer than usual. */
  readonly operation: (id: string, limitMs?: number) => Operation;
  /** The object of a session that may have stored a card. */
  readonly cardSession: (id: string) => { cardToken(property: string, service: ChargedService): Promise<CardToken> };
}

/** What an id names. */
export type OperationKind = 'charge' | 'reversal';

const PREFIX = { charge: 'ch', reversal: 'rv' } as const;

/** The id of what a key of the hotel that calls stands for: always the same. */
export function operationIdOf(
  c: MerchantContext<MoneyDependencies>,
  kind: OperationKind,
  key: string,
): Promise<string> {
  const property = c.get('property').id;
  return c.get('dependencies').ids.derive(PREFIX[kind], [property, kind, key]);
}

/** Asks a charge or a reversal of the hotel that calls. */
export async function askOperation(
  c: MerchantContext<MoneyDependencies>,
  { kind, id }: { readonly kind: OperationKind; readonly id: string },
  call: (operation: Operation, property: string) => Promise<Outcome<MerchantOperation>>,
): Promise<MerchantOperation> {
  const { ids, operation } = c.get('dependencies');
  const property = c.get('property').id;
  const isKnown = await ids.isKnown(PREFIX[kind], id, property);
  const outcome = isKnown ? await call(operation(id), property) : undefined;
  // Another hotel's is answered as one that does not exist.
  if (outcome !== undefined && (outcome.ok || outcome.code !== 'not_found')) return unwrap(outcome);
  throw new ProblemError('not_found', { detail: `There is no ${kind} with this id` });
}
