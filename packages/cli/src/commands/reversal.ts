import { REVERSAL_REASONS, type Reversal, type ReversalReason } from '@innkeep/core/contract';
import { Option } from 'commander';
import { type AmountFlags, parseAmount } from '../input/amount.ts';
import { confirmed } from '../input/confirmed.ts';
import { given } from '../input/given.ts';
import { moneyText } from '../terminal/money-text.ts';
import { type CommandGroup, defineCommand } from './command-spec.ts';
import { sendMoneyCall, tellOutcome } from './money-call.ts';
import { answerMoney, type MoneyResource, moneyCommands } from './money-resource.ts';
import { ATTEMPT_OPTION, amountOptions, idempotencyOption, NOTE_OPTION } from './shared-options.ts';

interface CreateFlags extends AmountFlags {
  readonly attempt?: number;
  readonly reason?: ReversalReason;
  readonly note?: string;
  readonly allowDuplicate?: true;
  readonly idempotencyKey?: string;
}

const create = defineCommand<CreateFlags>({
  usage: 'create <payment>',
  summary: 'Refund a payment or a charge, in whole or in part',
  details: [
    'Without --amount everything that is left is refunded. At a terminal it asks first. Without --idempotency-key the command makes a key, and prints it before it sends anything.',
    'Exit codes: 0 refunded, 4 declined, 1 refused or proven not refunded, 3 not known yet: repeat only with the same key.',
  ].join('\n'),
  options: [
    ...amountOptions('amount to refund'),
    ATTEMPT_OPTION,
    new Option('--reason <reason>', 'why').choices(REVERSAL_REASONS),
    NOTE_OPTION,
    new Option('--allow-duplicate', 'refund even if the same refund is under way, unknown or was just made'),
    idempotencyOption('a repeated call with this key never refunds twice'),
  ],
  examples: [
    'innkeep reversal create cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
    'innkeep reversal create cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E --attempt 2',
    'innkeep reversal create ch_01JZ8M4Q9T6V2X3Y5A7B8C9D0E --amount 20.00 EUR --idempotency-key RES-1234-minibar',
  ],
  async run(context, [payment = ''], flags) {
    const amount = parseAmount(flags);
    const { attempt, reason, note, allowDuplicate } = flags;
    const merchant = await context.merchant();
    const paid = attempt === undefined ? payment : `attempt ${attempt} of ${payment}`;
    const what = amount === undefined ? 'all that is left' : moneyText(amount);
    // A refund cannot be undone.
    await confirmed(context.io, `Refund ${what} of ${paid}?`, 'Nothing was refunded.');
    return sendMoneyCall(context, {
      effect: 'the money was refunded',
      idempotencyKey: flags.idempotencyKey,
      send: (options) =>
        merchant.reversals.create({ payment, ...given({ attempt, amount, reason, note, allowDuplicate }) }, options),
      tell: async (reversal) => {
        await answerMoney(context, REVERSAL, reversal);
        return tellOutcome(context, reversal, { noun: 'reversal', undone: 'nothing was refunded' });
      },
    });
  },
});

const REVERSAL: MoneyResource<Reversal> = {
  noun: 'reversal',
  operations: ({ reversals }) => reversals,
  details: ({ payment, attempt, reference, reason }) => [
    ['Payment', payment],
    ['Reference', reference],
    ['Reason', reason],
    ...(attempt === null ? [] : [['Attempt', attempt] as const]),
  ],
  columns: [
    ['PAYMENT', ({ payment }) => payment],
    ['REFERENCE', ({ reference }) => reference],
    ['REASON', ({ reason }) => reason],
  ],
  exampleId: 'rv_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
  exampleResolution: "--status succeeded --evidence 'Bank statement of 3 June'",
};

export const REVERSAL_COMMANDS: CommandGroup = {
  name: 'reversal',
  summary: 'Reversals of payments and charges',
  commands: [create, ...moneyCommands(REVERSAL)],
};
