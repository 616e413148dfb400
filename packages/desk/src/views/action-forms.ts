/** What a clerk can do, as forms: the fields of each, what is wrong with them, what is sent, and what is said before and after. */
import type { DeskFeature, Payment } from '@innkeep/core/contract';
import type { MoneyJson } from '@innkeep/core/values';
import type { Action } from '../controllers/action-controller.ts';
import type { DeskConnection } from '../controllers/desk-connection.ts';
import type { Equal, Values } from '../controllers/draft.ts';
import { writeAmount } from '../values/amount.ts';
import { cardText } from './card-view.ts';
import { linesOf } from './charges-view.ts';
import { amountError, isCurrency, type Limits, typedAmount } from './form-checks.ts';
import { amountFields, type Field, fieldErrors, reasonField, typed } from './form-fields.ts';
import { durationText, type Format, fill } from './format.ts';

/** A form as it is drawn. */
export interface ActionForm extends Action {
  readonly feature: DeskFeature;
  readonly title: string;
  readonly intro?: readonly string[];
  readonly fields: readonly Field[];
  /** What is repeated before it is sent, and the button that sends it. */
  confirm(values: Values): { readonly sentence: string; readonly button: string };
  /** What is said of the answer. */
  outcome(status: string | undefined): { readonly text: string; readonly tone: 'good' | 'bad' | 'warn' };
}

const DAY_SECONDS = 86_400;
const LINK_DAYS = [1, 3, 7, 30] as const;

/** Of which part of a payment something is refunded. */
export interface Refundable {
  readonly payment: Payment;
  readonly attempt: number | null;
  readonly left: MoneyJson;
  readonly card: Payment['card'];
}

/** What can be refunded of a payment: each attempt of a session that was paid, or the charge. */
export function refundables(payment: Payment): readonly Refundable[] {
  const { attempts, reversible, transactionId, card } = payment;
  const parts =
    attempts.length > 0
      ? attempts.map((each) => ({ ...each, attempt: each.number }))
      : [{ attempt: null, reversible, transactionId, card }];
  // The payment service refunds by its own id: without it there is nothing to name.
  return parts.flatMap((part) =>
    part.reversible && part.reversible.value > 0 && part.transactionId !== null
      ? [{ payment, attempt: part.attempt, left: part.reversible, card: part.card }]
      : [],
  );
}

/** Refunds a payment, or a part of it. */
export function giveBackForm({ payment, attempt, left, card }: Refundable, format: Format): ActionForm {
  const { texts, locale, money } = format;
  const { currency } = left;
  const amountOf = (values: Values): MoneyJson => typedAmount(values, currency, locale);
  const fields: readonly Field[] = [
    {
      name: 'amount',
      label: fill(texts.amountIn, { currency }),
      type: 'amount',
      hint: fill(texts.leftToGiveBack, { amount: money(left) }),
    },
    reasonField(texts.reversalReasons, format),
    { name: 'note', label: texts.note, type: 'text', isOptional: true },
  ];
  return {
    id: `reverse ${payment.id} ${attempt}`,
    feature: 'reverse',
    path: 'reversals',
    isKeyed: true,
    isConfirmed: true,
    title: texts.giveBack,
    defaults: { amount: writeAmount(left.value, currency, locale), reason: '', note: '' },
    fields,
    check: (values) => ({
      ...fieldErrors(fields, values, format),
      ...amountError(values, currency, format, { [currency]: left.value }, texts.tooMuch),
    }),
    body: (values) => ({
      payment: payment.id,
      attempt: attempt ?? undefined,
      amount: amountOf(values),
      ...typed(['reason', 'note'], values),
    }),
    confirm: (values) => ({
      sentence: fill(texts.confirmGiveBack, {
        amount: money(amountOf(values)),
        card: cardText(card),
        reference: payment.reference ?? payment.id,
      }),
      button: fill(texts.giveBackAmount, { amount: money(amountOf(values)) }),
    }),
    outcome: outcomeOf(texts.reversalOutcomes),
  };
}

/** Charges the card that a session stored. */
export function chargeForm(payment: Payment, limits: Limits, format: Format): ActionForm {
  const { texts, locale, money } = format;
  const currencies = Object.keys(limits);
  const until = payment.card?.chargeableUntil;
  const amountOf = (values: Values): MoneyJson => typedAmount(values, currencies[0], locale);
  const fields: readonly Field[] = [
    ...amountFields(currencies, format),
    reasonField(texts.chargeReasons, format),
    { name: 'reference', label: texts.reference, type: 'text' },
    { name: 'note', label: texts.note, type: 'text', isOptional: true },
  ];
  return {
    id: `charge ${payment.id}`,
    feature: 'charge',
    path: 'charges',
    isKeyed: true,
    isConfirmed: true,
    title: texts.chargeCard,
    intro: until ? [fill(texts.chargeableUntil, { time: format.dateTime(until) })] : [],
    defaults: { amount: '', currency: currencies[0] ?? '', reason: '', reference: payment.reference ?? '', note: '' },
    fields,
    check: (values) => ({
      ...fieldErrors(fields, values, format),
      ...amountError(values, amountOf(values).currency, format, limits, texts.overLimit),
    }),
    body: (values) => ({
      card: payment.id,
      amount: amountOf(values),
      ...typed(['reference', 'reason', 'note'], values),
    }),
    confirm: (values) => ({
      sentence: fill(texts.confirmCharge, {
        amount: money(amountOf(values)),
        card: cardText(payment.card),
        reference: values.reference ?? '',
      }),
      button: fill(texts.chargeAmount, { amount: money(amountOf(values)) }),
    }),
    outcome: outcomeOf(texts.chargeOutcomes),
  };
}

/** Asks for money: the session that a link will pay. */
export function askForm(limits: Limits, format: Format): ActionForm {
  const { texts, locale } = format;
  const currencies = Object.keys(limits);
  const amountOf = (values: Values): MoneyJson => typedAmount(values, currencies[0], locale);
  const fields: readonly Field[] = [
    ...amountFields(currencies, format),
    { name: 'reference', label: texts.reference, type: 'text' },
    { name: 'description', label: texts.whatFor, type: 'text', hint: texts.guestReads, isOptional: true },
    {
      name: 'days',
      label: texts.payableFor,
      type: 'select',
      options: LINK_DAYS.map((days) => [String(days), durationText(days, 'day', locale)]),
    },
  ];
  return {
    id: 'ask',
    feature: 'link',
    path: 'checkout-sessions',
    isKeyed: true,
    isConfirmed: false,
    title: texts.askForMoney,
    defaults: { amount: '', currency: currencies[0] ?? '', reference: '', description: '', days: '7' },
    fields,
    check: (values) => ({
      ...fieldErrors(fields, values, format),
      ...amountError(values, amountOf(values).currency, format, limits, texts.overLimit),
    }),
    body: (values) => ({
      kind: 'payment',
      amount: amountOf(values),
      ...typed(['reference', 'description'], values),
      expiresInSeconds: Number(values.days) * DAY_SECONDS,
    }),
    findEqual: (values, link) => findRequest(values.reference?.trim() ?? '', amountOf(values), link),
    confirm: (values) => ({
      // Asked for while the currency is still being typed.
      sentence: isCurrency(amountOf(values).currency) ? `${format.money(amountOf(values))} · ${values.reference}` : '',
      button: texts.makeLink,
    }),
    outcome: () => ({ text: texts.linkMade, tone: 'good' }),
  };
}

/** A request for the same that nobody has paid yet, or of which nobody knows. */
async function findRequest(
  reference: string,
  { value, currency }: MoneyJson,
  link: DeskConnection,
): Promise<Equal | undefined> {
  for (const { type, kind, status, amount, by, createdAt, payment } of await linesOf(reference, link)) {
    const isOpen = type === 'checkout_session' && kind === 'payment' && ['open', 'pending', 'unknown'].includes(status);
    if (isOpen && amount?.value === value && amount.currency === currency)
      return { amount, by, createdAt, status, payment };
  }
  return undefined;
}

/** Takes a link back: the session it pays is ended. */
export function revokeForm({ id }: Payment, { texts }: Format): ActionForm {
  return {
    id: `revoke ${id}`,
    feature: 'link',
    path: `checkout-sessions/${id}/expire`,
    isKeyed: false,
    isConfirmed: false,
    title: texts.takeBack,
    intro: [texts.takeBackMeans],
    defaults: {},
    fields: [],
    check: () => ({}),
    body: () => ({}),
    confirm: () => ({ sentence: '', button: texts.takeBack }),
    outcome: () => ({ text: texts.takenBack, tone: 'good' }),
  };
}

/** A money operation that has no outcome yet is under way; one that nobody knows of is no failure. */
function outcomeOf(
  words: Readonly<Record<'succeeded' | 'refused' | 'unknown' | 'running', string>>,
): ActionForm['outcome'] {
  return (status) => {
    if (status === 'succeeded') return { text: words.succeeded, tone: 'good' };
    if (status === 'declined' || status === 'failed') return { text: words.refused, tone: 'bad' };
    return { text: status === 'unknown' ? words.unknown : words.running, tone: 'warn' };
  };
}
