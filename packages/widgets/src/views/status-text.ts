/** What each state says to the guest: one table. */
import type { CheckoutController } from '../controllers/checkout-controller.ts';
import type { Messages } from '../localization/messages.ts';
import type { PayState } from '../state/pay-state.ts';
import type { IconName } from './icon.ts';

/** Title, explanation and picture of a state; a state without either is busy. */
export interface StatusText {
  title: string;
  hint?: string | false | undefined;
  icon?: IconName;
  /** A character in place of a picture. */
  sign?: string;
}

type Source = Pick<CheckoutController, 'checkout' | 'fault' | 'page' | 'canStart' | 'isReturn'>;

/** The text of `state`, or `undefined` where the button says it all. */
export function statusText(
  state: PayState,
  { checkout, fault, page, canStart, isReturn }: Source,
  texts: Messages,
): StatusText | undefined {
  // Who is back needs no way there.
  const notice = checkout?.returned ? undefined : page.notice;
  const isCard = checkout?.kind === 'card';
  const table: Record<PayState, StatusText | undefined> = {
    idle: notice === 'changed' ? { title: texts.changed, sign: '!' } : undefined,
    opening: { title: texts.opening },
    waiting: {
      title: notice === 'leaving' ? texts.opening : notice === 'blocked' ? texts.notStarted : texts.waiting,
      hint: navigator.onLine ? (notice === 'closed' ? texts.closed : !notice && texts.waitingHint) : texts.offline,
    },
    succeeded: { title: isCard ? texts.cardSaved : texts.paid, icon: 'check' },
    failed: {
      title: checkout?.error?.code === 'declined' ? texts.declined : isCard ? texts.cardNotSaved : texts.failed,
      icon: 'cross',
    },
    canceled: { title: texts.canceled, icon: 'cross' },
    expired: {
      title: isCard ? texts.cardExpired : texts.expired,
      hint: checkout?.final === false ? (isCard ? texts.waitingHint : texts.expiredHint) : !canStart && texts.contact,
      icon: 'clock',
    },
    unknown: {
      title: isCard ? texts.cardUnknown : texts.unknown,
      hint: isCard ? texts.contact : texts.unknownHint,
      sign: '?',
    },
    error: {
      title: isReturn && fault?.code === 'secret_missing' ? texts.missing : texts.error,
      hint: fault?.recoverable ? ['network', 'timeout'].includes(fault.code) && texts.unreachable : texts.contact,
      sign: '!',
    },
  };
  return table[state];
}
