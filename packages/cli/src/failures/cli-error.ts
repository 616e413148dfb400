import { EXIT, type ExitCode } from './exit-code.ts';

/** What a {@link CliError} says besides its message. */
export interface CliErrorOptions extends ErrorOptions {
  readonly exitCode: ExitCode;
  /** What to do now, one step a line. */
  readonly next?: readonly string[] | undefined;
  /** Machine-readable details for `--json`. Never a secret. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** Codes of the command line itself. */
export type CliErrorCode =
  /**
   * The command line, a setting or an input file is wrong.
   *
   * Money: did not move; nothing was sent.
   *
   * What to do: `next` says what to write instead; `--help` what the command takes.
   */
  | 'usage'
  /**
   * Stopped with Ctrl-C, SIGTERM or SIGHUP, or a question was answered with no.
   *
   * Money: did not move; none was on its way.
   *
   * What to do: run the command again when you want to.
   */
  | 'interrupted'
  /**
   * Standard output could not be written, for instance because a disk is full.
   *
   * Money: did not move; a charge or a reversal ends with `outcome_unknown` instead.
   *
   * What to do: with exit code 3 look first whether the command was carried out. Make room, or write elsewhere.
   */
  | 'output_failed'
  /**
   * The payment service does not accept the login of the hotel that is being set up. Nothing was written.
   *
   * Money: did not move.
   *
   * What to do: check the user name and the password; `--no-login-check` writes the settings anyway.
   */
  | 'login_failed'
  /**
   * Another `innkeep dev` serves this folder.
   *
   * Money: did not move.
   *
   * What to do: use the one that runs, or stop it first; `--data` names another folder.
   */
  | 'already_running'
  /**
   * The port that was asked for is in use.
   *
   * Money: did not move.
   *
   * What to do: stop the program that listens there, or choose another port.
   */
  | 'port_in_use'
  /**
   * The proxy of `innkeep dev` ended by itself, and everything else with it.
   *
   * Money: did not move; there is none on the local stack.
   *
   * What to do: look in the proxy's log, `.innkeep/proxy.log`, and start `innkeep dev` again.
   */
  | 'proxy_stopped'
  /**
   * No local stack runs in this folder or above it.
   *
   * Money: did not move.
   *
   * What to do: start `innkeep dev` and leave it running.
   */
  | 'not_running'
  /**
   * The local stack keeps the real time.
   *
   * Money: did not move.
   *
   * What to do: start it with `innkeep dev --clock`.
   */
  | 'no_clock'
  /**
   * An event did not happen on the local stack.
   *
   * Money: did not move; there is none on the local stack.
   *
   * What to do: look in the proxy's log, `.innkeep/proxy.log`.
   */
  | 'trigger_failed'
  /**
   * Some hotels of the directory could not be sealed with the newest sealing key.
   *
   * Money: did not move.
   *
   * What to do: keep the older keys in `SEALING_KEYS`, and run the command again.
   */
  | 'reseal_incomplete'
  /**
   * Something failed unexpectedly.
   *
   * Money: did not move, unless the command was a charge or a reversal: that one ends with `outcome_unknown` instead.
   *
   * What to do: run it again with `INNKEEP_DEBUG=1` and report where it failed.
   */
  | 'unexpected';

/** A failure in the words of the command line: what happened, and what to do next. */
export class CliError extends Error {
  override readonly name = 'CliError';
  /** Stable kind of failure: one of ours, or a code of core or of the proxy. */
  readonly code: CliErrorCode | (string & {});
  readonly exitCode: ExitCode;
  readonly next: readonly string[];
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: CliErrorCode | (string & {}), message: string, options: CliErrorOptions) {
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

/** It was refused, or did not work; `next` says what to do. */
export function failure(code: CliErrorCode, message: string, ...next: readonly string[]): CliError {
  return new CliError(code, message, { exitCode: EXIT.failed, next });
}

/** The user stopped it, and no money was on its way. */
export function interrupted(message = 'Stopped.'): CliError {
  return new CliError('interrupted', message, { exitCode: EXIT.interrupted });
}
