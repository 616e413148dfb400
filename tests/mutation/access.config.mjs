import { configOf } from './shared.config.mjs';

export default configOf('access', [
  'packages/edge-proxy/src/http/{app-context,cors,describe,encoding,error-response,hash,idempotency,ids,problem,rate-limits,response-headers,routes,validate}.ts',
  'packages/edge-proxy/src/ledger/{audit-routes,desk-session-routes,desk-session-table,event-routes,export-routes,lists,platform-event-routes,platform-feeds,status-routes,tagged-ids,webhook-endpoint-routes}.ts',
  'packages/edge-proxy/src/money/{card-routes,charge-routes,money-operations,operation-routes,resolution-routes,reversal-routes}.ts',
  'packages/edge-proxy/src/objects/jurisdiction.ts',
  'packages/edge-proxy/src/properties/{audit-row,audit-slice,callers,configured-properties,desk-caller,desk-session,directory-stub,hidden-from-desk,if-match,key-limits,key-of-page,key-uses,platform-key-routes,platforms,property-directory,property-routes,resource-app,settings}.ts',
  'packages/edge-proxy/src/runtime/{app,bindings,payment-resources,request-log,service-routes,worker-app}.ts',
  'packages/edge-proxy/src/sessions/{checkout-page,checkout-sessions,client-secret,guest-routes,language,page-response,page-routes,page-texts,resolution-route,session-routes}.ts',
  'packages/edge-proxy/src/telemetry/{named-properties,request-trace,telemetry,telemetry-of,telemetry-settings}.ts',
  'packages/edge-proxy/src/upstream/gateway-routes.ts',
  'packages/edge-proxy/src/moto.ts',
]);
