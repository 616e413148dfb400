import { randomUUID } from 'node:crypto';
import type { ProblemCode } from '@innkeep/core/contract';
import { isInnkeepError, isProblemError } from '@innkeep/core/errors';
import type { MoneyOperationError, MoneyOperationStatus } from '@innkeep/core/merchant';
import type { CommandContext } from '../context/command-context.ts';
import { CliError } from '../failures/cli-error.ts';
import { EXIT, type ExitCode } from '../failures/exit-code.ts';
import { getCommandFor, withReason } from '../failures/explain-error.ts';
import { shellWords } from '../terminal/shell-words.ts';

/**
 * Refusals that the proxy makes before it stores or sends anything. Any other failure leaves the outcome open: so does
 * `idempotency_mismatch`, since an earlier call with the key may have moved the money.
 */
const REFUSED_BEFORE_SENDING: ReadonlySet<string> = new Set<ProblemCode>([
  'invalid_request',
  'unauthorized',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'possible_duplicate',
  'not_reversible',
  'limit_reached',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'property_unavailable',
  'upstream_unavailable',
  'ledger_full',
]);

/** Whether a failed call has certainly done nothing; `doubtfulBefore` is how many calls were doubtful before it. */
export function isCertainRefusal(context: CommandContext, error: unknown, doubtfulBefore: number): boolean {
  if (isInnkeepError(error, 'invalid_input') || isInnkeepError(error, 'configuration')) return true;
  const isCertain = context.doubtfulCalls() === doubtfulBefore;
  return isCertain && isProblemError(error) && REFUSED_BEFORE_SENDING.has(error.code);
}

/** Why it is unknown what became of a call. */
interface Doubt {
  /** One sentence. */
  readonly reason: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Why it is unknown what became of a call that has failed. */
export function doubtAbout({ io }: CommandContext, error: unknown): Doubt {
  if (io.signal.aborted) {
    return { reason: 'Stopped while the proxy was working.', details: { reason: 'interrupted' } };
  }
  if (error instanceof CliError) return { reason: error.message, details: { reason: error.code } };
  if (!isInnkeepError(error)) {
    const what = error instanceof Error ? error.message : String(error);
    return { reason: `The answer cannot be used (${what}).`, details: { reason: 'invalid_response' } };
  }
  const { code: reason } = error;
  // Messages of the proxy have no full stop.
  const message = withReason(error.message, error).replace(/[^.!?]$/, '$&.');
  if (!isProblemError(error)) return { reason: message, details: { reason } };
  const { status, resource, traceId } = error;
  return { reason: message, details: { reason, ...{ status, resource, traceId } } };
}

/** A call that moves money, and what is said about it. */
export interface MoneyCall<Resource extends MoneyOutcome> {
  /** What may have happened: `the card was charged`. */
  readonly effect: string;
  readonly idempotencyKey: string | undefined;
  send(options: { idempotencyKey: string; signal: AbortSignal }): Promise<Resource>;
  /** Shows the answer and says what it means. */
  tell(resource: Resource): Promise<ExitCode>;
}

/**
 * Sends a call that moves money. The key is on the screen before the request is on the wire. When no answer says what
 * became of it, the failure says how to ask again with the same key.
 */
export async function sendMoneyCall<Resource extends MoneyOutcome>(
  context: CommandContext,
  { effect, idempotencyKey, send, tell }: MoneyCall<Resource>,
): Promise<ExitCode> {
  const { io } = context;
  // The proxy knows that the digits of a UUID are not a card number.
  const key = idempotencyKey ?? `innkeep-${randomUUID()}`;
  await context.note(`Idempotency key: ${key}`, { idempotencyKey: key });
  io.signal.throwIfAborted();
  const doubtfulBefore = context.doubtfulCalls();
  try {
    // An answer that cannot be shown leaves the outcome open, too: the exit code must not be taken for a no.
    const resource = await send({ idempotencyKey: key, signal: io.signal });
    if (typeof resource.id !== 'string') throw new TypeError('it has no id');
    return await tell(resource);
  } catch (error) {
    if (isCertainRefusal(context, error, doubtfulBefore)) throw error;
    const { reason, details } = doubtAbout(context, error);
    if (isProblemError(error) && error.code === 'idempotency_mismatch') {
      const what = 'An earlier call with this key had other content, and this one did nothing.';
      const look = getCommandFor(error.resource ?? '');
      throw new CliError('outcome_unknown', `${what} It is not known whether ${effect} then.`, {
        exitCode: EXIT.outcomeUnknown,
        next: ['Look at the result of that call before you start another:', look],
        details: { ...details, idempotencyKey: key },
        cause: error,
      });
    }
    const repeat = repeatCommand(context.words, key);
    throw new CliError('outcome_unknown', `${reason} It is not known whether ${effect}.`, {
      exitCode: EXIT.outcomeUnknown,
      next: [
        'Repeat the command with the same idempotency key and the same content; that never does it twice:',
        repeat,
        'Do not start a new call with another key before you know the outcome.',
      ],
      details: { ...details, idempotencyKey: key, repeat },
      cause: error,
    });
  }
}

/** A charge or a reversal, as far as its outcome goes. */
export interface MoneyOutcome {
  readonly id: string;
  readonly status: MoneyOperationStatus;
  readonly error: MoneyOperationError | null;
}

/** Says what the outcome means and what to do next. @returns the exit code that stands for it */
export async function tellOutcome(
  context: CommandContext,
  { id, status, error }: MoneyOutcome,
  { noun, undone }: { readonly noun: 'charge' | 'reversal'; readonly undone: string },
): Promise<ExitCode> {
  const reason = error === null ? '' : ` ${error.message}`;
  const property = context.property();
  const ofHotel = property === undefined ? '' : ` --property ${property}`;
  const tell = (...lines: readonly string[]): Promise<void> => context.note(lines.join('\n'), { status, resource: id });
  switch (status) {
    case 'succeeded':
      return EXIT.ok;
    case 'declined':
      await tell(`Declined: ${undone}.${reason}`, 'A new try needs a new idempotency key.');
      return EXIT.declined;
    case 'failed':
      await tell(`Failed: ${undone}.${reason}`, 'A new try needs a new idempotency key.');
      return EXIT.failed;
    case 'unknown':
      await tell(
        `Outcome unknown: money may have moved.${reason}`,
        'Do not try again. Look up the payment at the payment service, then record what you found:',
        `  innkeep ${noun} resolve ${id}${ofHotel} --status succeeded --evidence '…'   (or --status failed)`,
      );
      return EXIT.outcomeUnknown;
    default:
      await tell(
        'Not finished yet: the payment service has not answered. Do not try again with another key. Check again:',
        `  ${getCommandFor(id)}${ofHotel}`,
      );
      return EXIT.outcomeUnknown;
  }
}

/** The same command line with the key in it. */
function repeatCommand(words: readonly string[], key: string): string {
  const hasKey = words.some((word) => word === '--idempotency-key' || word.startsWith('--idempotency-key='));
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const withKey = hasKey ? words : words.toSpliced(end, 0, '--idempotency-key', key);
  return `innkeep ${shellWords(withKey)}`;
}
