/** What all objects have in common: whatever they call is in the place where they are. */
import { DurableObject } from 'cloudflare:workers';
import { inOwnPlace } from './jurisdiction.ts';

export abstract class PlacedObject<Env = unknown> extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, inOwnPlace(ctx.id, env));
  }
}
