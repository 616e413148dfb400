import { Refusal } from '../../wire/refusal.ts';
import type { World } from '../../world.ts';
import type { ApiCall } from '../api-call.ts';
import type { Reply } from '../reply.ts';

export function gatewayCall(_world: World, _call: ApiCall): Reply {
  throw new Refusal('not_found', 'there is nothing at this address');
}
