import { EXIT, type ExitCode } from './exit-code.ts';

/** What a {@link CliError} says besides its message. */
export interface CliErrorOptions extends ErrorOptions {
  readonly exitCode: ExitCode;
  /** What to do now, one step a line. */
  readonly next?: readonly string[] | undefined;
  /** Machine-readable facts for `--json`. Never a secret. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** A failure in the words of the command line: what happened, and what to do next. */
export class CliError extends Error {
  override readonly name = 'CliError';
  /** Stable kind of failure: a code of core or of the proxy, or `usage`, `interrupted`. */
  readonly code: string;
  readonly exitCode: ExitCode;
  readonly next: readonly string[];
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, options: CliErrorOptions) {
    super(message, options);
    this.code = code;
    this.exitCode = options.exitCode;
    this.next = options.next ?? [];
    this.details = options.details ?? {};
  }
}

/** The command line or an input is wrong; nothing was sent. */
export function usageError(message: string, ...next: readonly string[]): CliError {
  return new CliError('usage', message, { exitCode: EXIT.usage, next });
}

/** The user stopped it, and no money was on its way. */
export function interrupted(): CliError {
  return new CliError('interrupted', 'Stopped.', { exitCode: EXIT.interrupted });
}
