/** The proxy's rules, and other parts of it whose test beside them says all there is to say. */
export const RULES: readonly string[] = [
  'packages/edge-proxy/src/http/{client-address,derived-key,payment-limits,request-fingerprint,seal,token-buckets}.ts',
  'packages/edge-proxy/src/ledger/{csv,duplicate-payment,ledger-capacity,old-payments,webhook-schedule}.ts',
  'packages/edge-proxy/src/money/{charge-text,money-machine,money-outcome,money-timing}.ts',
  'packages/edge-proxy/src/objects/moved-alarms.ts',
  'packages/edge-proxy/src/properties/{actor,configuration-change,property-pattern}.ts',
  'packages/edge-proxy/src/records/{redacted,reservations,retention}.ts',
  'packages/edge-proxy/src/sessions/{attempt-machine,attempt-watch,card-sealing,origins,polling-schedule,session-status}.ts',
  'packages/edge-proxy/src/upstream/{fair-share,gateway-request,send-to-gateway,token-lifetime,upstream-health,upstream-log}.ts',
];
