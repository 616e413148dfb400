/**
 * Rules of the hosted page, without network: which addresses to trust, and when a record proves a payment.
 *
 * Import path: `@innkeep/core/hosted`.
 *
 * @module
 */

export {
  type ContradictionCode,
  checkRecord,
  type RecordDecision,
  type RecordExpectation,
  type RecordedRefusal,
  recordedRefusal,
  showsMoney,
} from './check-record.ts';
export type { HostedRequest } from './hosted-request.ts';
export { assertTrustedUrl, isTrustedUrl, type TrustedOrigins } from './trusted-url.ts';
