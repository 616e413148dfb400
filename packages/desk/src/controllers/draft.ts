/** The state of a form that changes something. */
import type { Charge, Reversal } from '@innkeep/core/contract';
import type { DeskFault } from '../client/desk-fault.ts';

/** What was typed, by field. */
export type Values = Readonly<Record<string, string>>;

/** Where a form is. `lost`: sent, and nobody knows what became of it. `duplicate`: an equal one is there, and this one was not sent on. */
export type Step = 'edit' | 'confirm' | 'sending' | 'lost' | 'duplicate' | 'done';

/** A charge, a reversal or a request that is equal to one that was about to be made. */
export interface Equal extends Pick<Charge | Reversal, 'amount' | 'by' | 'createdAt'> {
  readonly status: string;
  /** Of a request, the payment. */
  readonly payment?: string;
}

/** One form's state. */
export interface Draft {
  step: Step;
  values: Record<string, string>;
  /** Fields that cannot be sent as they are, and why. */
  errors: Readonly<Record<string, string>>;
  key: string;
  /** What was sent, to be sent again unchanged. */
  body?: object | undefined;
  /** Why it was refused, or has no answer. */
  fault?: DeskFault | undefined;
  /** What was answered. */
  answer?: Answer | undefined;
  /** The equal one that is there already. */
  equal?: Equal | undefined;
  /** Grows with each step: whoever draws it moves the focus then. */
  turn: number;
}

/** What the proxy answers to any of them. */
export interface Answer {
  id: string;
  status?: string;
}

/** A form that was just opened: its key is made here and nowhere else. */
export function newDraft(defaults: Values): Draft {
  return {
    step: 'edit',
    values: { ...defaults },
    errors: {},
    key: crypto.randomUUID(),
    turn: 0,
  };
}
