/** The answer to a charge or a reversal that was asked for. */

import type { AppContext } from '../middleware/app-context.ts';
import type { CreatedOperation } from '../objects/money-operation-object.ts';
import { isUnderWay } from '../policy/money-machine.ts';

/** 201 with the outcome, whatever it is; 202 while there is none. */
export function operationResponse(c: AppContext, { operation, isReplay }: CreatedOperation): Response {
  c.get('facts').outcome = operation.status;
  const headers: Record<string, string> = isReplay ? { 'idempotent-replayed': 'true' } : {};
  return c.json(operation, isUnderWay(operation.status) ? 202 : 201, headers);
}
