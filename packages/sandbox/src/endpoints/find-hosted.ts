import type { HostedRequest } from '../domain/ledger.ts';
import { Refusal } from '../wire/refusal.ts';
import type { World } from '../world/world.ts';
import { type ApiCall, refuseUnknownQuery } from './api-call.ts';

const PARAMETERS: readonly string[] = ['requestid', 'serviceProvider'];

/**
 * The hosted request that `requestid` and `serviceProvider` of the query name.
 * @throws Refusal `invalid_request` or `not_found`.
 */
export function findHosted(world: World, call: ApiCall): HostedRequest {
  refuseUnknownQuery(world, call, PARAMETERS);
  const { searchParams } = call.url;
  for (const name of PARAMETERS) {
    const [value, second] = searchParams.getAll(name);
    if (value === undefined || value === '') throw new Refusal('invalid_request', 'is missing', name);
    if (second !== undefined) throw new Refusal('invalid_request', 'appears twice', name);
  }
  if (searchParams.get('serviceProvider') !== world.settings.providerHosted) {
    throw new Refusal('invalid_request', `must be "${world.settings.providerHosted}"`, 'serviceProvider');
  }
  const hosted = world.ledger.hosted.get(searchParams.get('requestid') ?? '');
  if (hosted === undefined || hosted.customer !== call.customer) {
    throw new Refusal('not_found', 'is not a request of this customer', 'requestid');
  }
  return hosted;
}
