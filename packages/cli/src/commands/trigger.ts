import { relative } from 'node:path';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '@innkeep/core/contract';
import type { MerchantClient } from '@innkeep/core/merchant';
import { Option } from 'commander';
import type { CommandContext } from '../context/command-context.ts';
import type { Recipe } from '../dev/trigger-recipes.ts';
import { type CliError, failure, usageError } from '../failures/cli-error.ts';
import type { ExitCode } from '../failures/exit-code.ts';
import { type AmountFlags, parseAmount } from '../input/amount.ts';
import { type CommandSpec, defineCommand } from './command-spec.ts';
import { amountOptions, DATA_OPTION } from './shared-options.ts';

interface TriggerFlags extends AmountFlags {
  readonly reference?: string;
  readonly data?: string;
}

const DEFAULT_AMOUNT = { value: 12_000, currency: 'EUR' };
const EVENT_LIMIT_MS = 90_000;

export const TRIGGER_COMMAND: CommandSpec<TriggerFlags> = defineCommand<TriggerFlags>({
  usage: 'trigger [event-type]',
  summary: 'Make an event really happen on the local stack',
  details: [
    'Does what a hotel and its guest would do: makes a session, pays it on the simulated payment page, charges, refunds. Whatever your site does with the event, it does with real resources. innkeep dev must run in this folder.',
    'Without an event type it lists them.',
  ].join('\n'),
  options: [
    ...amountOptions('amount of the payment (default: 120.00 EUR)'),
    new Option('--reference <text>', 'reservation reference (default: a new one)'),
    DATA_OPTION,
  ],
  examples: [
    'innkeep trigger checkout.succeeded',
    'innkeep trigger checkout.attempt_failed --reference RES-1234 --amount 330.00 EUR',
  ],
  async run(context, [name], flags) {
    const { RECIPES, NOT_TRIGGERED } = await import('../dev/trigger-recipes.ts');
    const names = WEBHOOK_EVENT_TYPES.filter((type) => RECIPES[type] !== undefined);
    if (name === undefined) {
      const others = Object.entries(NOT_TRIGGERED).map(([type, why]) => `${type} ${why}.\n`);
      return context.answer(names, `${names.join('\n')}\n\nNot from here:\n${others.join('')}`);
    }
    const type = WEBHOOK_EVENT_TYPES.find((known) => known === name);
    const recipe = type && RECIPES[type];
    if (type === undefined || recipe === undefined) throw unknownType(name, names, type && NOT_TRIGGERED[type]);
    return trigger(context, { type, recipe, flags });
  },
});

async function trigger(
  context: CommandContext,
  { type, recipe, flags }: { type: WebhookEventType; recipe: Recipe; flags: TriggerFlags },
): Promise<ExitCode> {
  const { io } = context;
  const [{ localHotel }, { endOfFeed }, { eventLine }] = await Promise.all([
    import('../dev/local-hotel.ts'),
    import('../dev/end-of-feed.ts'),
    import('../dev/event-line.ts'),
  ]);
  const { merchant, report, paths } = await localHotel(context, flags.data);
  const after = await endOfFeed(merchant.events, io.signal);
  const newKey = (): string => Buffer.from(io.randomBytes(12)).toString('hex');
  const id = await recipe({
    merchant,
    proxyUrl: report.proxyUrl,
    sandboxUrl: report.sandboxUrl,
    amount: parseAmount(flags) ?? DEFAULT_AMOUNT,
    reference: flags.reference ?? `TRIGGER-${newKey().slice(0, 6).toUpperCase()}`,
    fetch: io.fetch,
    signal: io.signal,
    newKey,
    tell: (text) => context.note(text),
  });
  // Reading it polls at once; by itself the first poll comes after half a minute.
  if (id.startsWith('cs_')) await merchant.checkoutSessions.retrieve(id, { signal: io.signal });
  const limit = AbortSignal.timeout(EVENT_LIMIT_MS);
  const signal = AbortSignal.any([io.signal, limit]);
  for await (const event of merchant.events.follow({ after, pollIntervalMs: 1_000, signal })) {
    const { object } = event.data;
    if (event.type !== type || !('id' in object) || object.id !== id) continue;
    await sendIfPaused(merchant, event.id, signal);
    return context.answer(event, `${eventLine(event)}\n`);
  }
  const message = `${type} did not happen to ${id} in ${EVENT_LIMIT_MS / 1_000} seconds.`;
  throw failure('trigger_failed', message, `Look in the proxy’s log: ${relative(io.cwd, paths.proxyLog)}`);
}

/** A site that has refused several events would get this one only when the proxy looks whether it is back. */
async function sendIfPaused({ webhookEndpoints, events }: MerchantClient, id: string, signal: AbortSignal) {
  const { data } = await webhookEndpoints.list({ signal });
  if (data.some(({ status }) => status === 'paused')) await events.redeliver(id, { signal });
}

function unknownType(name: string, names: readonly string[], why: string | undefined): CliError {
  return usageError(
    why === undefined ? `There is no event ${name}.` : `${name} cannot be triggered: it ${why}.`,
    `Events: ${names.join(', ')}`,
  );
}
