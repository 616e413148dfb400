import { configOf } from './shared.config.mjs';

export default configOf('objects', [
  'packages/edge-proxy/src/http/deadline.ts',
  'packages/edge-proxy/src/ledger/{audit-table,delivery-table,feed-forwarding,feed-storage,id-key-object,intent-table,ledger-clean-up,ledger-counts,ledger-events,ledger-object,ledger-storage,ledger-tables,platform-feed-object,property-status,resource-list,reversal-limit-table,unscheduled-table,webhook-delivery,webhook-endpoint,webhook-sender}.ts',
  'packages/edge-proxy/src/money/{charge-guard,charge-payment,money-calls,money-operation-object,money-record,money-sender,money-storage,money-transition,money-transitions,reversal-allocation,refusals}.ts',
  'packages/edge-proxy/src/objects/{object-by-name,placed-object,schedule}.ts',
  'packages/edge-proxy/src/properties/{directory-storage,hotel-snapshot,key-use-table,properties,property-configuration,property-copies,property-directory-object,property-object,property-storage}.ts',
  'packages/edge-proxy/src/records/{first-success,ledger-update,record-row,record-storage,redaction,resolution,reserved-amounts,reversible-payment,shares}.ts',
  'packages/edge-proxy/src/sessions/{attempt-record,attempt-watcher,checkout-session-object,client-secrets,hosted-calls,hosted-start,payment-links,poll-tasks,refusals,session-attempts,session-creation,session-of-key,session-page,session-payment,session-record,session-storage,session-transition,session-transitions,session-views}.ts',
  'packages/edge-proxy/src/upstream/{access-token-object,access-token-source,access-token-storage,call-budget,mask-card-numbers,upstream-client,upstream-failure,upstream-options}.ts',
]);
