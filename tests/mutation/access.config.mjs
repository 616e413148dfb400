import { configOf } from './shared.config.mjs';

export default configOf('access', [
  'packages/edge-proxy/src/{config,middleware,routes,rpc}/*.ts',
  'packages/edge-proxy/src/{app,ids,problem,moto}.ts',
  'packages/edge-proxy/src/crypto/*.ts',
  // With the objects.
  '!packages/edge-proxy/src/rpc/{object-by-name,properties,property-copies}.ts',
  // Their suite needs workerd.
  '!packages/edge-proxy/src/routes/{gateway,send-to-gateway}.ts',
  // Words for the documents: no request reads them.
  '!packages/edge-proxy/src/middleware/describe.ts',
]);
