import {
  CHECKOUT_KINDS,
  CHECKOUT_STATUSES,
  type CheckoutKind,
  type CheckoutSession,
  type CheckoutStatus,
  type CreateCheckoutSession,
  type CreatedCheckoutSession,
} from '@innkeep/core/contract';
import { Option } from 'commander';
import type { CommandContext } from '../context/command-context.ts';
import { usageError } from '../failures/cli-error.ts';
import type { ExitCode } from '../failures/exit-code.ts';
import { type AmountFlags, parseAmount } from '../input/amount.ts';
import { given } from '../input/given.ts';
import { parsePairs } from '../input/pairs.ts';
import { moneyText, movedText } from '../terminal/money-text.ts';
import { detailList } from '../terminal/table.ts';
import { attemptRows } from './attempt-rows.ts';
import { type CommandGroup, type CommandSpec, defineCommand } from './command-spec.ts';
import { answerList, type ListFlags } from './list-command.ts';
import { type ResolveFlags, toResolution } from './resolution.ts';
import {
  ATTEMPT_OPTION,
  amountOptions,
  idempotencyOption,
  listOptions,
  MOVED_AMOUNT_OPTIONS,
  parseCount,
  RESOLVE_OPTIONS,
} from './shared-options.ts';

const SHOW_TOKEN = new Option('--show-token', 'print the whole stored-card token; it is worth money');

interface WantedFlags extends AmountFlags {
  readonly kind: CheckoutKind;
  readonly reference: string;
  readonly description?: string;
  readonly surcharge?: true;
  readonly returnUrl?: string;
  readonly metadata?: readonly string[];
  readonly expiresIn?: number;
}

interface CreateFlags extends WantedFlags {
  readonly idempotencyKey?: string;
}

interface ShowFlags {
  readonly showToken?: true;
}

const WANTED_OPTIONS: readonly Option[] = [
  new Option('--kind <kind>', 'payment, or card to keep a card').choices(CHECKOUT_KINDS).default('payment'),
  ...amountOptions('amount to pay'),
  new Option('--reference <text>', 'reservation reference, 1 to 64 characters').makeOptionMandatory(),
  new Option('--description <text>', 'what the guest reads, at most 200 characters'),
  new Option('--surcharge', 'let the payment service add its surcharge'),
  new Option('--return-url <url>', 'page of the hotel that the guest comes back to'),
  new Option('--metadata <name=value...>', 'your own data, kept with the session'),
  new Option('--expires-in <seconds>', 'how long the guest may start, 60 to 2592000').argParser(parseCount),
];

const create = defineCommand<CreateFlags>({
  usage: 'create',
  summary: 'Make a checkout session, in which a guest can pay or save a card',
  details: 'The client secret in the answer goes into the guest’s page.',
  options: [...WANTED_OPTIONS, idempotencyOption('a repeated call with this key returns the same session')],
  examples: [
    'innkeep session create --amount 120.00 EUR --reference RES-1234 --return-url https://hotel.example/booking/1234',
    'innkeep session create --kind card --reference RES-1234 --json',
  ],
  async run(context, _args, { idempotencyKey, ...flags }) {
    const wanted = toWanted(flags);
    const { checkoutSessions } = await context.merchant();
    const { signal } = context.io;
    return answerSession(context, await checkoutSessions.create(wanted, { ...given({ idempotencyKey }), signal }));
  },
});

const ensure = defineCommand<WantedFlags>({
  usage: 'ensure <key>',
  summary: 'Find or make the one session of a booking',
  details: [
    'The same key always means the same session, for as many attempts as it takes. An expired session is opened again.',
    'Another amount or text reaches the next attempt, never a guest who is paying.',
  ].join('\n'),
  options: WANTED_OPTIONS,
  examples: ['innkeep session ensure RES-1234-deposit --amount 120.00 EUR --reference RES-1234'],
  async run(context, [key = ''], flags) {
    const wanted = toWanted(flags);
    const { checkoutSessions } = await context.merchant();
    return answerSession(context, await checkoutSessions.ensure(key, wanted, { signal: context.io.signal }));
  },
});

/** A command that asks for one thing and then shows the session. */
function asking(
  verb: string,
  summary: string,
  { ask, options = [] }: { readonly ask: 'retrieve' | 'expire' | 'refresh'; readonly options?: readonly Option[] },
): CommandSpec<ShowFlags> {
  return defineCommand<ShowFlags>({
    usage: `${verb} <session>`,
    summary,
    options,
    examples: [`innkeep session ${verb} cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E`],
    async run(context, [id = ''], flags) {
      const { checkoutSessions } = await context.merchant();
      return answerSession(context, await checkoutSessions[ask](id, { signal: context.io.signal }), flags);
    },
  });
}

const list = defineCommand<ListFlags<CheckoutStatus>>({
  usage: 'list',
  summary: 'List sessions, newest first',
  details: 'A session appears here a moment after it changed. Lists never contain a card token.',
  options: listOptions(CHECKOUT_STATUSES),
  examples: ['innkeep session list --status unknown', 'innkeep session list --reference RES-1234 --json'],
  async run(context, _args, flags) {
    const { checkoutSessions } = await context.merchant();
    return answerList(context, flags, (query) => checkoutSessions.list(query, { signal: context.io.signal }), [
      ['ID', ({ id }) => id],
      ['STATUS', ({ status }) => status],
      ['KIND', ({ kind }) => kind],
      ['AMOUNT', movedText],
      ['REFERENCE', ({ reference }) => reference],
      ['CREATED', ({ createdAt }) => createdAt],
    ]);
  },
});

interface ResolveSessionFlags extends ResolveFlags {
  readonly attempt?: number;
}

const resolve: CommandSpec<ResolveSessionFlags> = defineCommand<ResolveSessionFlags>({
  usage: 'resolve <session>',
  summary: 'Record how an uncertain attempt ended',
  details:
    'Only for an attempt that is unknown or was abandoned, or that was declined, canceled or failed and was paid after all, and only with evidence from the payment service.',
  options: [...RESOLVE_OPTIONS, ATTEMPT_OPTION, ...MOVED_AMOUNT_OPTIONS],
  examples: [
    "innkeep session resolve cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E --status succeeded --evidence 'Settlement report, line 14'",
    "innkeep session resolve cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E --attempt 2 --status succeeded --evidence 'Portal' --amount 130.00 EUR",
  ],
  async run(context, [id = ''], flags) {
    const { checkoutSessions } = await context.merchant();
    const body = { ...toResolution(flags), ...given({ attempt: flags.attempt }) };
    const session = await checkoutSessions.resolve(id, body, { signal: context.io.signal });
    return answerSession(context, session);
  },
});

export const SESSION_COMMANDS: CommandGroup = {
  name: 'session',
  summary: 'Checkout sessions: payments and cards of guests',
  commands: [
    create,
    ensure,
    asking('get', 'Show a session', { ask: 'retrieve', options: [SHOW_TOKEN] }),
    list,
    asking('expire', 'End an open session, so that nobody can pay it any more', { ask: 'expire' }),
    asking('refresh', 'Ask the payment service now what became of a session', {
      ask: 'refresh',
      options: [SHOW_TOKEN],
    }),
    resolve,
  ],
};

/** What is to be paid, or kept. @throws `usage` */
function toWanted(flags: WantedFlags): CreateCheckoutSession {
  const amount = parseAmount(flags);
  if (flags.kind === 'payment' && amount === undefined) {
    throw usageError('A payment needs an amount.', 'Add --amount 120.00 EUR, or --kind card to keep a card.');
  }
  if (flags.kind === 'card' && (amount !== undefined || flags.surcharge === true)) {
    throw usageError('Keeping a card takes no amount and no surcharge.', 'Leave out --amount and --surcharge.');
  }
  const { reference, description, surcharge, returnUrl, expiresIn: expiresInSeconds } = flags;
  const metadata = flags.metadata === undefined ? undefined : parsePairs(flags.metadata, '--metadata');
  return {
    ...(amount === undefined ? { kind: 'card' } : { kind: 'payment', amount, ...given({ surcharge }) }),
    reference,
    ...given({ description, returnUrl, metadata, expiresInSeconds }),
  };
}

/** Writes a session, its card token reduced to the last 4 unless it was asked for. */
export async function answerSession(
  context: CommandContext,
  session: CheckoutSession | CreatedCheckoutSession,
  { showToken = false }: { readonly showToken?: boolean } = {},
): Promise<ExitCode> {
  const shown = showToken ? session : withoutToken(session);
  const { result } = shown;
  return context.answer(
    shown,
    detailList([
      ['Session', shown.id],
      ['Status', `${shown.status}${shown.final ? '' : ' (not final)'}${shown.late ? ' (late)' : ''}`],
      ['Kind', shown.kind],
      ['Mode', shown.livemode ? 'live' : 'test'],
      ...(shown.amount === null ? [] : [['Amount', moneyText(shown.amount)] as const]),
      ['Reference', shown.reference],
      ['Description', shown.description],
      ['Expires', shown.expiresAt],
      ...(shown.outdated ? [['Outdated', 'the terms have changed since'] as const] : []),
      ...shown.attempts.flatMap(attemptRows),
      ...(result === null ? [] : resultFacts(result)),
      ...(shown.reversed === null ? [] : [['Reversed', moneyText(shown.reversed)] as const]),
      ...(shown.reversing === null ? [] : [['Reversing', moneyText(shown.reversing)] as const]),
      ...('clientSecret' in shown ? [['Client secret', shown.clientSecret] as const] : []),
    ]),
  );
}

function resultFacts(result: NonNullable<CheckoutSession['result']>): readonly (readonly [string, unknown])[] {
  const card = [
    ['Card', result.maskedCard],
    ['Transaction', result.transactionId],
  ] as const;
  if ('total' in result) {
    const surcharge = result.surcharge === null ? [] : [['Surcharge', moneyText(result.surcharge.amount)] as const];
    return [['Charged', moneyText(result.total)], ...surcharge, ...card];
  }
  return [['Token', result.token], ['Token valid until', result.tokenValidUntil], ...card];
}

function withoutToken<Session extends CheckoutSession>(session: Session): Session {
  const attempts = session.attempts.map((attempt) => ({ ...attempt, result: lastFour(attempt.result) }));
  return { ...session, result: lastFour(session.result), attempts };
}

function lastFour(result: CheckoutSession['result']): CheckoutSession['result'] {
  if (result === null || !('token' in result) || result.token == null) return result;
  return { ...result, token: `…${result.token.slice(-4)}` };
}
