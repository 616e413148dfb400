/** The `innkeep` command as a function of its words and what it may touch. */

import { CommanderError } from 'commander';
import type { CommandSpec } from '../commands/command-spec.ts';
import { createCommandContext, type GlobalFlags } from '../context/command-context.ts';
import { CliError, interrupted } from '../failures/cli-error.ts';
import { EXIT, type ExitStatus } from '../failures/exit-code.ts';
import { explainError } from '../failures/explain-error.ts';
import { outputError } from '../failures/output-error.ts';
import { refuseSecretsInArguments } from '../input/secret-source.ts';
import type { Io } from '../process/io.ts';
import { createProgram } from './program.ts';

/**
 * Runs one command line, without the program's name. Data goes to standard output, everything else to standard error.
 *
 * @returns the exit code; every failure is explained
 */
export async function run(words: readonly string[], given: Io): Promise<ExitStatus> {
  // What follows -- is another program’s command line.
  const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  const isJson = own.includes('--json');
  const warnAsJson: Io['warn'] = (warning) => given.writeErr(`${JSON.stringify({ warning })}\n`);
  const io = isJson ? { ...given, warn: warnAsJson } : given;
  try {
    refuseSecretsInArguments(words);
    return await parseAndExecute(words, io);
  } catch (error) {
    const failure = io.signal.aborted && !(error instanceof CliError) ? interrupted() : explainError(error);
    try {
      await io.writeErr(isJson ? failureJson(failure) : failureText(failure));
      if (io.env.INNKEEP_DEBUG === '1' && error instanceof Error) await io.writeErr(`${error.stack}\n`);
    } catch {
      // Nobody can read it, as where a terminal has closed. The exit code still says it.
    }
    return failure.exitCode;
  }
}

async function parseAndExecute(words: readonly string[], io: Io): Promise<ExitStatus> {
  let exitCode: ExitStatus = EXIT.ok;
  const output: Promise<unknown>[] = [];
  const errors: string[] = [];
  const program = createProgram({
    execute,
    output: {
      writeOut: (text) => void output.push(io.writeOut(text)),
      writeErr: (text) => void errors.push(text),
    },
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.ok;
    // A mistyped flag may carry a secret: `--password=…` is not repeated.
    const message = errors
      .join('')
      .trimEnd()
      .replaceAll(/(?<![\w-])(--[\w-]+)=[^\s']+/g, '$1=…');
    throw new CliError('usage', message, { exitCode: EXIT.usage, cause: error });
  } finally {
    await Promise.all(output).catch((error: unknown) => {
      throw outputError(error, { wasSent: false });
    });
  }

  async function execute(spec: CommandSpec, args: readonly string[], flags: object): Promise<void> {
    exitCode = await spec.run(createCommandContext(io, flags as GlobalFlags, words), args, flags);
  }
}

function failureText({ message, next }: CliError): string {
  return `${message}\n${next.map((step) => `  ${step}\n`).join('')}`;
}

function failureJson({ code, message, next, details }: CliError): string {
  return `${JSON.stringify({ error: { code, message, next, ...details } })}\n`;
}
