/** What nobody knows of a payment, and the form that ends it with what somebody found out. */
import type { Payment } from '@innkeep/core/contract';
import type { MoneyJson } from '@innkeep/core/values';
import type { Values } from '../controllers/draft.ts';
import { writeAmount } from '../values/amount.ts';
import type { ActionForm } from './action-forms.ts';
import { amountError, typedAmount } from './form-checks.ts';
import { amountFields, type Field, fieldErrors, typed } from './form-fields.ts';
import { type Format, fill } from './format.ts';

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
  const fields: readonly Field[] = [
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
    { name: 'transactionId', label: texts.transactionId, type: 'text', hint: texts.ifWentThrough, isOptional: true },
    ...(asked ? amountFields([asked.currency], format) : []),
  ];
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
    fields,
    check: (values) => ({
      ...fieldErrors(fields, values, format),
      ...(movedOf(values) === amount ? {} : amountError(values, asked?.currency ?? '', format, {}, '')),
    }),
    body: (values) => ({
      ...typed(['status', 'evidence', 'transactionId'], values),
      attempt: attempt ?? undefined,
      amount: movedOf(values)?.value === amount?.value ? undefined : movedOf(values),
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
