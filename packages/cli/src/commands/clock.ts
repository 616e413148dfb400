import { failure, usageError } from '../failures/cli-error.ts';
import { detailList } from '../terminal/table.ts';
import { type CommandSpec, defineCommand } from './command-spec.ts';
import { DATA_OPTION } from './shared-options.ts';

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const LONGEST_MS = 366 * 86_400_000;

interface ClockFlags {
  readonly data?: string;
}

export const CLOCK_COMMAND: CommandSpec<ClockFlags> = defineCommand<ClockFlags>({
  usage: 'clock [step]',
  summary: 'Show or move the time of the local stack',
  details: [
    'Moves the time of the proxy and the simulated payment service forward together. What is due by then happens within seconds: links and sessions expire, webhooks are tried again. innkeep dev --clock must run in this folder. The time stays moved; it never goes back.',
    'Your site keeps the real time. innkeep dev signs the webhooks that it forwards again, with the real time.',
  ].join('\n'),
  options: [DATA_OPTION],
  examples: ['innkeep clock', 'innkeep clock +1h', 'innkeep clock +2d12h'],
  async run(context, [step], { data }) {
    const advanceMs = step === undefined ? undefined : parseStep(step);
    const [{ localHotel }, { askStack }] = await Promise.all([
      import('../dev/local-hotel.ts'),
      import('../dev/running-stack.ts'),
    ]);
    const { report, running } = await localHotel(context, data);
    if (advanceMs !== undefined && !report.hasClock) {
      throw failure('no_clock', 'This stack keeps the real time.', 'Stop it and start it with: innkeep dev --clock');
    }
    const { now } = advanceMs === undefined ? report : await askStack(running, { advanceMs });
    return context.answer({ now }, detailList([['Time', now]]));
  },
});

/** `+1h`, `+90m`, `+2d12h`. @throws `usage` */
function parseStep(text: string): number {
  const parts = [...text.matchAll(/(\d{1,9})([smhd])/g)];
  const ms = parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNIT_MS[unit] ?? 0), 0);
  if (/^\+?(\d{1,9}[smhd])+$/.test(text) && ms > 0 && ms <= LONGEST_MS) return ms;
  throw usageError(
    `${text} is not a step of time of at most a year.`,
    'Write +30s, +90m, +1h or +2d12h. Time only goes forward.',
  );
}
