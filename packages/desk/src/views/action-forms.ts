/** What a clerk can do, as forms: the fields of each, what is wrong with them, what is sent, and what is said before and after. */
import type { DeskFeature, Payment } from '@innkeep/core/contract';
import type { MoneyJson } from '@innkeep/core/values';
import type { Action } from '../controllers/action-controller.ts';
import type { DeskConnection } from '../controllers/desk-connection.ts';
import type { Equal, Values } from '../controllers/draft.ts';
import { writeAmount } from '../values/amount.ts';
import { cardText } from './card-view.ts';
import { linesOf } from './charges-view.ts';
import { amountError, isCurrency, type Limits, required, textErrors, typedAmount } from './form-checks.ts';
import { durationText, type Format, fill } from './format.ts';

/** One field of a form. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: 'amount' | 'text' | 'area' | 'select';
  readonly hint?: string;
  readonly options?: readonly (readonly [value: string, label: string])[];
}

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

const REVERSAL_REASONS = ['requested_by_guest', 'service', 'duplicate', 'mistake', 'other'] as const;
const CHARGE_REASONS = ['no_show', 'late_charge', 'balance', 'deposit', 'other'] as const;
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
  return {
    id: `reverse ${payment.id} ${attempt}`,
    feature: 'reverse',
    path: 'reversals',
    isKeyed: true,
    isConfirmed: true,
    title: texts.giveBack,
    defaults: { amount: writeAmount(left.value, currency, locale), reason: '', note: '' },
    fields: [
      {
        name: 'amount',
        label: fill(texts.amountIn, { currency }),
        type: 'amount',
        hint: fill(texts.leftToGiveBack, { amount: money(left) }),
      },
      reasonField(REVERSAL_REASONS, texts.reversalReasons, texts),
      { name: 'note', label: texts.note, type: 'text' },
    ],
    check: (values) => ({
      ...amountError(values, currency, format, { [currency]: left.value }, texts.tooMuch),
      ...(values.reason ? {} : { reason: texts.chooseOne }),
      ...textErrors(['note'], values, format),
    }),
    body: (values) => ({
      payment: payment.id,
      ...(attempt === null ? {} : { attempt }),
      amount: amountOf(values),
      reason: values.reason,
      ...optional('note', values.note),
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
  return {
    id: `charge ${payment.id}`,
    feature: 'charge',
    path: 'charges',
    isKeyed: true,
    isConfirmed: true,
    title: texts.chargeCard,
    intro: until ? [fill(texts.chargeableUntil, { time: format.dateTime(until) })] : [],
    defaults: { amount: '', currency: currencies[0] ?? '', reason: '', reference: payment.reference ?? '', note: '' },
    fields: [
      ...amountFields(currencies, format),
      reasonField(CHARGE_REASONS, texts.chargeReasons, texts),
      { name: 'reference', label: texts.reference, type: 'text' },
      { name: 'note', label: texts.note, type: 'text' },
    ],
    check: (values) => ({
      ...amountError(values, amountOf(values).currency, format, limits, texts.overLimit),
      ...(values.reason ? {} : { reason: texts.chooseOne }),
      ...required(['reference'], values, format),
      ...textErrors(['reference', 'note'], values, format),
    }),
    body: (values) => ({
      card: payment.id,
      amount: amountOf(values),
      reference: values.reference?.trim(),
      reason: values.reason,
      ...optional('note', values.note),
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
  return {
    id: 'ask',
    feature: 'link',
    path: 'checkout-sessions',
    isKeyed: true,
    isConfirmed: false,
    title: texts.askForMoney,
    defaults: { amount: '', currency: currencies[0] ?? '', reference: '', description: '', days: '7' },
    fields: [
      ...amountFields(currencies, format),
      { name: 'reference', label: texts.reference, type: 'text' },
      { name: 'description', label: texts.whatFor, type: 'text', hint: texts.guestReads },
      {
        name: 'days',
        label: texts.payableFor,
        type: 'select',
        options: LINK_DAYS.map((days) => [String(days), durationText(days, 'day', locale)]),
      },
    ],
    check: (values) => ({
      ...amountError(values, amountOf(values).currency, format, limits, texts.overLimit),
      ...required(['reference'], values, format),
      ...textErrors(['reference', 'description'], values, format),
    }),
    body: (values) => ({
      kind: 'payment',
      amount: amountOf(values),
      reference: values.reference?.trim(),
      ...optional('description', values.description),
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

/** What can be unknown of a payment. */
export interface Unresolved {
  readonly kind: 'session' | 'charge' | 'reversal';
  readonly payment: Payment;
  readonly id: string;
  readonly attempt: number | null;
  readonly amount: MoneyJson | null;
}

/** The payment, an attempt to pay it or a refund of it. */
type Part = Pick<Payment, 'amount'> & { readonly id?: string; readonly number?: number; readonly status: string };

/** Everything of a payment of which nobody knows how it ended. */
export function unresolvedOf(payment: Payment): readonly Unresolved[] {
  const { attempts, reversals, type } = payment;
  const unknownOf = (kind: Unresolved['kind'], parts: readonly Part[]): Unresolved[] =>
    parts.flatMap(({ id = payment.id, number = null, status, amount }) =>
      status === 'unknown' ? [{ kind, payment, id, attempt: number, amount }] : [],
    );
  return [
    ...(type === 'charge' ? unknownOf('charge', [payment]) : []),
    ...unknownOf('session', attempts),
    ...unknownOf('reversal', reversals),
  ];
}

/** Ends what is unknown, with what somebody found out. */
export function settleForm({ kind, payment, id, attempt, amount }: Unresolved, format: Format): ActionForm {
  const { texts, money, locale } = format;
  const paths = { session: 'checkout-sessions', charge: 'charges', reversal: 'reversals' };
  const shown = (sum: MoneyJson | null): string => (sum ? money(sum) : '–');
  // A payment that went through can have moved another amount than was asked for.
  const asked = kind === 'reversal' ? null : amount;
  const movedOf = (values: Values): MoneyJson | null =>
    asked && values.status === 'succeeded' ? typedAmount(values, asked.currency, locale) : amount;
  const clue = {
    id: attempt === null ? id : `${id}-${attempt}`,
    reference: payment.reference ?? '–',
    amount: shown(amount),
  };
  return {
    id: `settle ${id} ${attempt}`,
    feature: 'resolve',
    path: `${paths[kind]}/${id}/resolve`,
    isKeyed: false,
    isConfirmed: true,
    title: texts.settle,
    intro: [texts.settleWhere, fill(texts.settleLook[kind], clue), texts.settleWrite],
    defaults: {
      status: '',
      evidence: '',
      transactionId: '',
      amount: asked ? writeAmount(asked.value, asked.currency, locale) : '',
    },
    fields: [
      {
        name: 'status',
        label: texts.whatHappened,
        type: 'select',
        options: [
          ['', texts.choose],
          ['succeeded', texts.wentThrough],
          ['failed', texts.didNot],
        ],
      },
      { name: 'evidence', label: texts.evidence, type: 'area', hint: texts.evidenceHint },
      { name: 'transactionId', label: texts.transactionId, type: 'text', hint: texts.ifWentThrough },
      ...(asked ? amountFields([asked.currency], format) : []),
    ],
    check: (values) => ({
      ...(values.status ? {} : { status: texts.chooseOne }),
      ...(movedOf(values) === amount ? {} : amountError(values, asked?.currency ?? '', format, {}, '')),
      ...required(['evidence'], values, format),
      ...textErrors(['evidence'], values, format),
    }),
    body: (values) => ({
      status: values.status,
      evidence: values.evidence?.trim(),
      ...optional('transactionId', values.transactionId),
      ...(attempt === null ? {} : { attempt }),
      ...(movedOf(values)?.value === amount?.value ? {} : { amount: movedOf(values) }),
    }),
    confirm: (values) => {
      const known = values.transactionId?.trim();
      return {
        sentence: fill(values.status === 'failed' ? texts.confirmFailed : texts.confirmSucceeded, {
          ...clue,
          amount: shown(movedOf(values)) + (known ? ` (${texts.transactionId} ${known})` : ''),
        }),
        button: texts.settleIt,
      };
    },
    outcome: () => ({ text: texts.settled, tone: 'good' }),
  };
}

function amountFields(currencies: readonly string[], { texts }: Format): readonly Field[] {
  const [only] = currencies;
  const amount = {
    name: 'amount',
    label: only && currencies.length === 1 ? fill(texts.amountIn, { currency: only }) : texts.amount,
    type: 'amount',
  } as const;
  if (currencies.length === 1) return [amount];
  const currency = { name: 'currency', label: texts.currency };
  return [
    amount,
    currencies.length === 0
      ? { ...currency, type: 'text', hint: texts.currencyHint }
      : { ...currency, type: 'select', options: currencies.map((each) => [each, each] as const) },
  ];
}

function optional(name: string, value: string | undefined): object {
  return value?.trim() ? { [name]: value.trim() } : {};
}

function reasonField(
  values: readonly string[],
  words: Readonly<Record<string, string>>,
  texts: Format['texts'],
): Field {
  const options = values.map((value) => [value, words[value] ?? value] as const);
  return { name: 'reason', label: texts.reason, type: 'select', options: [['', texts.choose], ...options] };
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
