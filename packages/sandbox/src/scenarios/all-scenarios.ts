import { answerLost } from './answer-lost.ts';
import { approved } from './approved.ts';
import { bearerExpires } from './bearer-expires.ts';
import { callIssuer } from './call-issuer.ts';
import { declined } from './declined.ts';
import { declinedForSecurity } from './declined-for-security.ts';
import { declinesLater } from './declines-later.ts';
import { doubleReversal } from './double-reversal.ts';
import { duplicateReturn } from './duplicate-return.ts';
import { error500AfterCharge } from './error-500-after-charge.ts';
import { expiredCard } from './expired-card.ts';
import { finishesLate } from './finishes-late.ts';
import { foreignUrls } from './foreign-urls.ts';
import { garbage200 } from './garbage-200.ts';
import { htmlPage } from './html-page.ts';
import { insufficientFunds } from './insufficient-funds.ts';
import { lateReversal } from './late-reversal.ts';
import { neverFinishes } from './never-finishes.ts';
import { numericReturnCode } from './numeric-return-code.ts';
import { outcomePending } from './outcome-pending.ts';
import { recordLate } from './record-late.ts';
import { recordPowerOfTen } from './record-power-of-ten.ts';
import { recordWrongAmount } from './record-wrong-amount.ts';
import { recordWrongCurrency } from './record-wrong-currency.ts';
import { recordWrongRequest } from './record-wrong-request.ts';
import { redirected } from './redirected.ts';
import { rejected } from './rejected.ts';
import { requestLost } from './request-lost.ts';
import type { Scenario } from './scenario.ts';
import { slow } from './slow.ts';
import { specialStatuses } from './special-statuses.ts';
import { statusFlips } from './status-flips.ts';
import { surchargeNotAsked } from './surcharge-not-asked.ts';
import { surcharged } from './surcharged.ts';
import { unavailable } from './unavailable.ts';

/** Every scenario, in the order in which people read about them. */
export const ALL_SCENARIOS: readonly Scenario[] = [
  approved,
  declined,
  insufficientFunds,
  declinedForSecurity,
  callIssuer,
  expiredCard,
  declinesLater,
  surcharged,
  surchargeNotAsked,
  slow,
  neverFinishes,
  finishesLate,
  answerLost,
  error500AfterCharge,
  garbage200,
  htmlPage,
  duplicateReturn,
  recordLate,
  recordWrongAmount,
  recordPowerOfTen,
  recordWrongCurrency,
  recordWrongRequest,
  statusFlips,
  bearerExpires,
  doubleReversal,
  lateReversal,
  numericReturnCode,
  rejected,
  requestLost,
  unavailable,
  redirected,
  ...specialStatuses,
  outcomePending,
  foreignUrls,
];

const BY_NAME = new Map(ALL_SCENARIOS.map((scenario) => [scenario.name, scenario]));

/** The scenario with that name, or undefined. */
export function scenarioNamed(name: string): Scenario | undefined {
  return BY_NAME.get(name);
}
