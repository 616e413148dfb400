import { configOf } from './shared.config.mjs';

export default configOf('objects', [
  'packages/edge-proxy/src/{feeds,money,objects,records,sessions,storage,upstream,webhooks}/*.ts',
  'packages/edge-proxy/src/rpc/{object-by-name,properties,property-copies}.ts',
  'packages/edge-proxy/src/deadline.ts',
  // Decides nothing.
  '!packages/edge-proxy/src/upstream/upstream-log.ts',
]);
