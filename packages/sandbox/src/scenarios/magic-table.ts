/** The magic inputs: the one table that the sandbox obeys and that demo and docs render. */
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
import { garbage200 } from './garbage-200.ts';
import { htmlPage } from './html-page.ts';
import { insufficientFunds } from './insufficient-funds.ts';
import { lateReversal } from './late-reversal.ts';
import { neverFinishes } from './never-finishes.ts';
import { numericReturnCode } from './numeric-return-code.ts';
import { recordLate } from './record-late.ts';
import { recordPowerOfTen } from './record-power-of-ten.ts';
import { recordWrongAmount } from './record-wrong-amount.ts';
import { recordWrongCurrency } from './record-wrong-currency.ts';
import { recordWrongRequest } from './record-wrong-request.ts';
import type { ChosenBy, Scenario } from './scenario.ts';
import { slow } from './slow.ts';
import { statusFlips } from './status-flips.ts';
import { surchargeNotAsked } from './surcharge-not-asked.ts';
import { surcharged } from './surcharged.ts';

/** One magic input. */
export interface MagicRow {
  /** Where it is typed. */
  readonly lever: 'card' | 'amount' | 'name';
  /** What to type: a card number, an amount as it goes over the wire, or a cardholder name. */
  readonly input: string;
  /** Name of the scenario that it chooses. */
  readonly scenario: string;
  /** What happens then, in one sentence. */
  readonly effect: string;
}

/** A scenario and what made it apply. */
export interface Choice {
  readonly scenario: Scenario;
  readonly chosenBy: ChosenBy;
}

interface MagicInput {
  readonly scenario: Scenario;
  readonly cards: readonly string[];
  /** Absent for the ordinary way, which every amount outside the table takes. */
  readonly amount?: string;
}

// Card numbers pass the Luhn check and belong to nobody.
const INPUTS: readonly MagicInput[] = [
  { scenario: approved, cards: ['4242424242424242', '5555555555554444', '378282246310005', '3530111333300000'] },
  { scenario: declined, cards: ['4000000000000002'], amount: '6601' },
  { scenario: insufficientFunds, cards: ['4000000000009995'], amount: '6602' },
  { scenario: declinedForSecurity, cards: ['4100000000000019'], amount: '6603' },
  { scenario: callIssuer, cards: ['4000000000010407'], amount: '6604' },
  { scenario: expiredCard, cards: ['4000000000000069'], amount: '6605' },
  { scenario: declinesLater, cards: ['4000000000000341'], amount: '6606' },
  { scenario: surcharged, cards: ['4000000000010704'], amount: '6607' },
  { scenario: surchargeNotAsked, cards: ['4000000000010803'], amount: '6608' },
  { scenario: slow, cards: ['4000000000010902'], amount: '6609' },
  { scenario: neverFinishes, cards: ['4000000000011009'], amount: '6610' },
  { scenario: finishesLate, cards: ['4000000000011108'], amount: '6611' },
  { scenario: answerLost, cards: ['4000000000011207'], amount: '6612' },
  { scenario: error500AfterCharge, cards: ['4000000000011306'], amount: '6613' },
  { scenario: garbage200, cards: ['4000000000011405'], amount: '6614' },
  { scenario: htmlPage, cards: ['4000000000011504'], amount: '6615' },
  { scenario: duplicateReturn, cards: ['4000000000011603'], amount: '6616' },
  { scenario: recordLate, cards: ['4000000000011702'], amount: '6617' },
  { scenario: recordWrongAmount, cards: ['4000000000011801'], amount: '6618' },
  { scenario: recordPowerOfTen, cards: ['4000000000011900'], amount: '6619' },
  { scenario: recordWrongCurrency, cards: ['4000000000012007'], amount: '6620' },
  { scenario: recordWrongRequest, cards: ['4000000000012106'], amount: '6621' },
  { scenario: statusFlips, cards: ['4000000000012205'], amount: '6622' },
  { scenario: bearerExpires, cards: ['4000000000012304'], amount: '6623' },
  { scenario: doubleReversal, cards: ['4000000000012403'], amount: '6624' },
  { scenario: lateReversal, cards: ['4000000000012502'], amount: '6625' },
  { scenario: numericReturnCode, cards: ['4000000000012601'], amount: '6626' },
];

const BY_CARD = new Map(INPUTS.flatMap(({ scenario, cards }) => cards.map((card) => [card, scenario] as const)));
const BY_AMOUNT = new Map(INPUTS.flatMap(({ scenario, amount }) => (amount === undefined ? [] : [[amount, scenario]])));
const BY_NAME = new Map(INPUTS.map(({ scenario }) => [toName(scenario), scenario] as const));

/** Every magic input, card numbers first. */
export const MAGIC_ROWS: readonly MagicRow[] = [
  ...[...BY_CARD].map(([input, scenario]) => toRow('card', input, scenario)),
  ...[...BY_AMOUNT].map(([input, scenario]) => toRow('amount', input, scenario)),
  ...[...BY_NAME].map(([input, scenario]) => toRow('name', input, scenario)),
];

/** Whether a card number is one of the test cards; the sandbox refuses every other one. */
export function isTestCard(digits: string): boolean {
  return BY_CARD.has(digits);
}

/** Whether a text contains one of the test cards, which then must not be stored. */
export function containsTestCard(text: string): boolean {
  const digits = text.replace(/[ -]/g, '');
  return [...BY_CARD.keys()].some((card) => digits.includes(card));
}

/** The scenario of a test card, to be remembered instead of its number. */
export function scenarioOfCard(digits: string): Scenario {
  return BY_CARD.get(digits) ?? approved;
}

/**
 * The scenario that the magic inputs ask for. A name beats an amount and an amount beats a card, because a card must
 * always be given; inputs outside the table choose nothing.
 */
export function chooseByMagic(inputs: { name?: string; amount?: string; card?: Scenario }): Choice {
  const byName = inputs.name === undefined ? undefined : BY_NAME.get(normalizeName(inputs.name));
  if (byName !== undefined) return { scenario: byName, chosenBy: 'name' };
  const byAmount = inputs.amount === undefined ? undefined : BY_AMOUNT.get(inputs.amount);
  if (byAmount !== undefined) return { scenario: byAmount, chosenBy: 'amount' };
  return { scenario: inputs.card ?? approved, chosenBy: 'card' };
}

function toRow(lever: MagicRow['lever'], input: string, scenario: Scenario): MagicRow {
  return { lever, input, scenario: scenario.name, effect: scenario.description };
}

function toName(scenario: Scenario): string {
  return scenario.name.replaceAll('-', ' ');
}

function normalizeName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, ' ');
}
