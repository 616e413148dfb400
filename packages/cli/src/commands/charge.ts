import { CHARGE_REASONS, type Charge, type ChargeReason, TOKEN_SOURCES } from '@innkeep/core/contract';
import { Option } from 'commander';
import type { CommandContext } from '../context/command-context.ts';
import { usageError } from '../failures/cli-error.ts';
import { AMOUNT_FORM, type AmountFlags, parseAmount } from '../input/amount.ts';
import { given } from '../input/given.ts';
import { readSecret } from '../input/secret-source.ts';
import { moneyText } from '../terminal/money-text.ts';
import { type CommandGroup, defineCommand } from './command-spec.ts';
import { sendMoneyCall, tellOutcome } from './money-call.ts';
import { answerMoney, type MoneyResource, moneyCommands } from './money-resource.ts';
import { amountOptions, idempotencyOption, NOTE_OPTION } from './shared-options.ts';

interface CreateFlags extends AmountFlags {
  readonly fromSession?: string;
  readonly tokenFile?: string;
  readonly tokenFrom?: (typeof TOKEN_SOURCES)[number];
  readonly reference: string;
  readonly reason: ChargeReason;
  readonly text?: string;
  readonly note?: string;
  readonly allowDuplicate?: true;
  readonly idempotencyKey?: string;
}

const create = defineCommand<CreateFlags>({
  usage: 'create',
  summary: 'Charge a stored card',
  details: [
    'The card comes from the session that kept it (--from-session), or its token from a file (--token-file), from INNKEEP_CARD_TOKEN, or from a prompt.',
    'Without --idempotency-key the command makes a key, and prints it before it sends anything.',
    'Exit codes: 0 charged, 4 declined, 1 refused or proven not charged, 3 not known yet: repeat only with the same key.',
  ].join('\n'),
  options: [
    ...amountOptions('amount to charge'),
    new Option('--reference <text>', 'reservation reference, 1 to 64 characters').makeOptionMandatory(),
    new Option('--reason <reason>', 'why').choices(CHARGE_REASONS).makeOptionMandatory(),
    new Option('--from-session <session>', 'card session that kept the card').conflicts(['tokenFile', 'tokenFrom']),
    new Option('--token-file <file>', 'file with the stored-card token, - for standard input'),
    new Option('--token-from <flow>', 'which flow made the token (default: hosted)').choices(TOKEN_SOURCES),
    new Option('--text <text>', 'what the payment service records besides id, reason and reference'),
    NOTE_OPTION,
    new Option('--allow-duplicate', 'charge even if the same charge is under way, unknown or was just made'),
    idempotencyOption('a repeated call with this key never charges twice'),
  ],
  examples: [
    'innkeep charge create --amount 120.00 EUR --reference RES-1234 --reason no_show --from-session cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E --idempotency-key RES-1234-no-show',
    'innkeep charge create --amount 80.00 --currency EUR --reference RES-1234 --reason deposit --token-file card.token',
  ],
  async run(context, _args, flags) {
    const { reference, reason, text, note, allowDuplicate, idempotencyKey } = flags;
    const amount = parseAmount(flags);
    if (amount === undefined) throw usageError('A charge needs an amount.', `Add ${AMOUNT_FORM}`);
    const merchant = await context.merchant();
    const card = await cardToCharge(context, flags);
    return sendMoneyCall(context, {
      effect: 'the card was charged',
      idempotencyKey,
      send: (options) =>
        merchant.charges.create(
          { ...card, amount, reference, reason, ...given({ text, note, allowDuplicate }) },
          options,
        ),
      tell: async (charge) => {
        await answerMoney(context, CHARGE, charge);
        return tellOutcome(context, charge, { noun: 'charge', undone: 'the card was not charged' });
      },
    });
  },
});

const CHARGE: MoneyResource<Charge> = {
  noun: 'charge',
  operations: ({ charges }) => charges,
  details: ({ reason, reference, maskedCard, reversed, reversing }) => [
    ['Reason', reason],
    ['Reference', reference],
    ['Card', maskedCard],
    ['Reversed', moneyText(reversed)],
    ['Reversing', moneyText(reversing)],
  ],
  columns: [
    ['REASON', ({ reason }) => reason],
    ['REFERENCE', ({ reference }) => reference],
  ],
  exampleId: 'ch_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
  exampleResolution: "--status failed --evidence 'Vendor support: never arrived'",
};

export const CHARGE_COMMANDS: CommandGroup = {
  name: 'charge',
  summary: 'Charges of stored cards',
  commands: [create, ...moneyCommands(CHARGE)],
};

/** The card to charge: by the session that stored it, whose token never leaves the proxy, or by a token of the hotel's own. */
async function cardToCharge(
  { io }: CommandContext,
  { fromSession, tokenFile, tokenFrom }: CreateFlags,
): Promise<{ card: string } | { token: string; tokenFrom?: (typeof TOKEN_SOURCES)[number] }> {
  if (fromSession !== undefined) return { card: fromSession };
  const token = await readSecret(io, {
    what: 'the stored-card token',
    variable: 'INNKEEP_CARD_TOKEN',
    file: tokenFile,
    fileOption: '--token-file',
  });
  return { token, ...given({ tokenFrom }) };
}
