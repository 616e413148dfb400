/** The `innkeep` command as a function of its words and what it may touch. */

import { Command, CommanderError, Option } from 'commander';
import { CliError, interrupted } from './cli-error.ts';
import { createCommandContext, type GlobalFlags } from './command-context.ts';
import { CHARGE_COMMANDS } from './commands/charge.ts';
import { addCommandGroup, type CommandGroup, type CommandSpec } from './commands/command-spec.ts';
import { EVENTS_COMMANDS } from './commands/events.ts';
import { GATEWAY_COMMANDS } from './commands/gateway.ts';
import { HOTEL_COMMANDS } from './commands/hotel.ts';
import { LINK_COMMANDS } from './commands/link.ts';
import { REVERSAL_COMMANDS } from './commands/reversal.ts';
import { SESSION_COMMANDS } from './commands/session.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { explainError } from './explain-error.ts';
import { refuseSecretsInArguments } from './input/secret-source.ts';
import type { Io } from './io.ts';
import { VERSION } from './version.ts';

const GROUPS: readonly CommandGroup[] = [
  HOTEL_COMMANDS,
  SESSION_COMMANDS,
  LINK_COMMANDS,
  CHARGE_COMMANDS,
  REVERSAL_COMMANDS,
  EVENTS_COMMANDS,
  GATEWAY_COMMANDS,
];

const FOOTER = `
Environment:
  INNKEEP_ENDPOINT    address of the proxy, for instance https://pay.hotel.example
  INNKEEP_SECRET_KEY  the merchant key, sk_…; never an argument: shells remember those

Exit codes:
  0  done
  1  refused, or proven not executed
  2  the command line, a setting or a file is wrong; nothing was sent
  3  outcome unknown: money may have moved; repeat only with the same idempotency key
  4  declined
  130  stopped with Ctrl-C while no money was on its way
`;

/**
 * Runs one command line, without the program's name. Data goes to standard output, everything else to standard error.
 *
 * @returns the exit code; every failure is explained
 */
export async function run(words: readonly string[], given: Io): Promise<ExitCode> {
  const isJson = words.includes('--json');
  const warnAsJson: Io['warn'] = (warning) => given.writeErr(`${JSON.stringify({ warning })}\n`);
  const io = isJson ? { ...given, warn: warnAsJson } : given;
  try {
    refuseSecretsInArguments(words);
    return await parseAndExecute(words, io);
  } catch (error) {
    const failure = io.signal.aborted && !(error instanceof CliError) ? interrupted() : explainError(error);
    await io.writeErr(isJson ? failureJson(failure) : failureText(failure));
    if (io.env.INNKEEP_DEBUG === '1' && error instanceof Error) await io.writeErr(`${error.stack}\n`);
    return failure.exitCode;
  }
}

async function parseAndExecute(words: readonly string[], io: Io): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.ok;
  const output: Promise<void>[] = [];
  const complaints: string[] = [];
  const program = createProgram({
    writeOut: (text) => void output.push(io.writeOut(text)),
    writeErr: (text) => void complaints.push(text),
    async execute(spec, args, flags) {
      exitCode = await spec.run(createCommandContext(io, flags as GlobalFlags, words), args, flags);
    },
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.ok;
    // A mistyped flag may carry a secret: `--password=…` is not repeated.
    const message = complaints
      .join('')
      .trimEnd()
      .replaceAll(/(--[\w-]+)=[^\s']+/g, '$1=…');
    throw new CliError('usage', message, { exitCode: EXIT.usage, cause: error });
  } finally {
    await Promise.all(output);
  }
}

/** Where a program writes, and what runs a command of it. */
export interface ProgramOptions {
  writeOut(text: string): void;
  writeErr(text: string): void;
  execute(spec: CommandSpec, args: readonly string[], flags: object): Promise<void>;
}

/** Every command with its arguments and options; ends by throwing `CommanderError`, never the process. */
export function createProgram({ writeOut, writeErr, execute }: ProgramOptions): Command {
  const program = new Command('innkeep')
    .description('Set up hotels, and work with sessions, charges, reversals, events and the gateway.')
    .version(VERSION, '--version', 'print the version')
    .helpOption('--help', 'print help')
    .addOption(new Option('--json', 'data as JSON on standard output, messages as JSON lines on standard error'))
    .addOption(new Option('--endpoint <url>', 'address of the proxy, instead of INNKEEP_ENDPOINT'))
    .addOption(new Option('--secret-key-file <file>', 'file with the merchant key, instead of INNKEEP_SECRET_KEY'))
    .addHelpText('after', FOOTER)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(add --help to the command for what it takes)')
    .configureOutput({ writeOut, writeErr })
    .exitOverride();
  for (const group of GROUPS) addCommandGroup(program, group, execute);
  return program;
}

function failureText({ message, next }: CliError): string {
  return `${message}\n${next.map((step) => `  ${step}\n`).join('')}`;
}

function failureJson({ code, message, next, details }: CliError): string {
  return `${JSON.stringify({ error: { code, message, next, ...details } })}\n`;
}
