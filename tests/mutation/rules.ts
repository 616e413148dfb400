/** The proxy's pure rules, each with its test beside it. */
export const RULES: readonly string[] = [
  'packages/edge-proxy/src/http/{client-address,payment-limits,request-fingerprint,token-buckets}.ts',
  'packages/edge-proxy/src/ledger/{csv,duplicate-payment,ledger-capacity,webhook-schedule}.ts',
  'packages/edge-proxy/src/money/{charge-text,money-machine,money-outcome,money-timing}.ts',
  'packages/edge-proxy/src/objects/moved-alarms.ts',
  'packages/edge-proxy/src/properties/{actor,configuration-change,property-pattern}.ts',
  'packages/edge-proxy/src/records/{redacted,reservations,retention}.ts',
  'packages/edge-proxy/src/sessions/{attempt-machine,attempt-watch,origins,polling-schedule,session-status}.ts',
  'packages/edge-proxy/src/upstream/{fair-share,gateway-request,token-lifetime,upstream-health}.ts',
];
