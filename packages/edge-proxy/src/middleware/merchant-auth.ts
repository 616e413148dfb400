/** Who a merchant call comes from, and what its key may do. */
import type { Property } from '../config/properties.ts';
import type { MerchantKey, Scope } from '../config/property-schema.ts';
import { ProblemError } from '../problem.ts';
import { type AppContext, bearer } from './app-context.ts';
import { limitFailures } from './limit-address.ts';

/** The caller of a merchant route. */
export interface Merchant {
  readonly property: Property;
  readonly key: MerchantKey;
}

/** The holder of the key in `Authorization`, who must have the scope. */
export async function authenticateMerchant(c: AppContext, scope: Scope): Promise<Merchant> {
  const holder = await c.get('dependencies').properties.findByKey(bearer(c));
  if (holder === undefined) {
    await limitFailures(c);
    throw new ProblemError('unauthorized', { detail: 'The merchant key is wrong', param: 'Authorization' });
  }
  const { property, key } = holder;
  c.get('facts').property = property.id;
  c.get('facts').key = key.id;
  if (property.broken) {
    throw new ProblemError('property_unavailable', {
      detail: `This property’s configuration cannot be used: ${property.field || 'it'} ${property.message}`,
      ...(property.field === '' ? {} : { param: property.field }),
    });
  }
  if (!key.scopes.includes(scope)) throw new ProblemError('forbidden', { detail: `This key has no scope "${scope}"` });
  return { property, key };
}
