/** What every list of resources does, and every route about one resource. */
import type { ListCheckoutSessionsSchema, ListMoneyOperationsSchema } from '@innkeep/core/contract';
import type { MiddlewareHandler } from 'hono';
import type { InferOutput } from 'valibot';
import type { AppContext, AppEnv } from '../http/app-context.ts';
import { isResourceId } from '../http/ids.ts';
import { ProblemError } from '../http/problem.ts';
import type { Act } from '../properties/audit-row.ts';
import type { MerchantContext } from '../properties/caller-env.ts';
import { lastDayOf } from '../records/last-day.ts';
import type { LedgerObject } from './ledger-object.ts';
import { parseCursor } from './resource-list.ts';
import type { TaggedIds } from './tagged-ids.ts';

/** What the routes of a hotel’s ledger need. */
export interface LedgerDependencies {
  /** The lists, the feed and the webhooks of a hotel. */
  readonly ledger: (property: string) => DurableObjectStub<LedgerObject>;
  readonly ids: TaggedIds;
}

/** A page of one kind: newest first by creation, or by completion when the list is narrowed by it. Eventually consistent. */
export async function readList(
  c: MerchantContext<LedgerDependencies>,
  kind: 'checkout_session' | 'charge' | 'reversal',
  query: InferOutput<typeof ListCheckoutSessionsSchema | typeof ListMoneyOperationsSchema>,
) {
  const { status = null, reference = null, completedFrom = null, completedTo = null, limit, cursor = null } = query;
  const by = completedFrom === null && completedTo === null ? 'created_at' : 'completed_at';
  if (cursor !== null && parseCursor(cursor, by) === undefined) {
    throw new ProblemError('invalid_request', { detail: 'Not a cursor of this list', param: 'cursor' });
  }
  // With its ends swapped, nothing would look paid.
  if (completedFrom !== null && completedTo !== null && completedFrom > completedTo) {
    throw new ProblemError('invalid_request', { detail: 'Must be after "completedFrom"', param: 'completedTo' });
  }
  const asked = { kind, status, reference, by, from: completedFrom, to: completedTo, limit, cursor } as const;
  const { items, nextCursor } = await c.get('dependencies').ledger(c.get('property').id).list(asked);
  return { object: 'list', data: items.map((item) => withoutToken(JSON.parse(item))), nextCursor };
}

/** For the log: which resource the address names. Anything else in its place may be a secret or a card number. */
export const rememberResource: MiddlewareHandler<AppEnv, '/:id/*'> = (c, next) => {
  const id = c.req.param('id');
  if (isResourceId(id)) c.get('logFields').resource = id;
  return next();
};

/** Headers of the answer to whoever made a resource of the list at this address. */
export function location(c: Pick<AppContext, 'req'>, id: string): Record<string, string> {
  return { location: `${c.req.path}/${id}` };
}

/** What may have brought a card's token. */
interface Brought {
  readonly result?: object | null;
}

/** A list never shows a card's token, not even its end. */
export function withoutToken(resource: Brought & { readonly attempts?: readonly Brought[] }): unknown {
  const attempts = resource.attempts && { attempts: resource.attempts.map(withoutToken) };
  const { result } = resource;
  if (result == null) return { ...resource, ...attempts };
  // One that an older version stored is as the record had it.
  const day = 'tokenValidUntil' in result && { tokenValidUntil: lastDayOf(result.tokenValidUntil) };
  return { ...resource, ...attempts, result: { ...result, ...day, token: undefined } };
}

/** Records in the audit that somebody reads something, before they get it. */
export async function noteRead(
  c: MerchantContext<LedgerDependencies>,
  act: Omit<Act, 'actor'> & { readonly resource: string | null },
): Promise<void> {
  const property = c.get('property').id;
  await c
    .get('dependencies')
    .ledger(property)
    .noteAct(property, { ...act, actor: c.get('actor') });
}
