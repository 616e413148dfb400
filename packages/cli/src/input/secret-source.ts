import { interrupted, usageError } from '../failures/cli-error.ts';
import type { Io } from '../process/io.ts';
import { readSecretFile } from './read-input.ts';

/** The places a secret may come from. A flag with the secret itself is never one of them: shells remember flags. */
export interface SecretSource {
  /** What it is, in a sentence: `the merchant key`. */
  readonly what: string;
  readonly variable: string;
  /** Value of the option that names a file, when it was given. */
  readonly file?: string | undefined;
  readonly fileOption?: string | undefined;
  /** What is wrong with a value; never quotes it. */
  readonly validate?: ((value: string) => string | undefined) | undefined;
}

/** Reads a secret from its file, else the environment, else the person at the terminal. @throws `usage` */
export async function readSecret(io: Io, source: SecretSource): Promise<string> {
  const { what, variable, file, fileOption = '', validate } = source;
  const fromEnvironment = io.env[variable]?.trim();
  const value =
    file !== undefined
      ? await readSecretFile(io, file, fileOption)
      : fromEnvironment !== undefined && fromEnvironment !== ''
        ? fromEnvironment
        : (await io.prompter?.secret({ message: capitalized(what), validate: validate ?? notEmpty }))?.trim();
  if (value === undefined) {
    throw usageError(
      `There is no ${what.replace(/^the /, '')}.`,
      `Set ${variable}${fileOption === '' ? '' : `, or name a file with ${fileOption} FILE (- is standard input)`}.`,
    );
  }
  if (io.signal.aborted) throw interrupted();
  const wrong = validate?.(value);
  if (wrong === undefined) return value;
  throw usageError(`${capitalized(what)} ${wrong}.`, `It came from ${file === undefined ? variable : fileOption}.`);
}

/** A secret as it is made, anywhere in a word: its random part distinguishes it from the name of a file. */
const MADE =
  /\b(?:[sp]k_(?:live|test)_(?:[\w-]{43}|\w*[A-Za-z0-9]{24})|whsec_[A-Za-z0-9+/]{32}|cs_[0-9A-Z]+_[\w-]{43})/;
/** Any word that begins like a secret, unless it is the path of a file. */
const ALIKE = /^[^./\\]*\b(?:[sp]k_(?:live|test)_|whsec_)\w[^./\\]*$/;

/**
 * Refuses a command line with a secret in it: shell history and process lists have it already.
 *
 * @throws `usage`, without the secret
 */
export function refuseSecretsInArguments(words: readonly string[]): void {
  const at = words.findIndex((word) => MADE.test(word) || ALIKE.test(word));
  if (at === -1) return;
  throw usageError(
    `Word ${at + 1} of the command line is a secret. It was not used.`,
    'Your shell history and the process list may hold it now: replace the secret if others can read them.',
    'Give a secret in the environment (INNKEEP_SECRET_KEY, INNKEEP_PLATFORM_KEY), in a file, or at a prompt.',
  );
}

function notEmpty(value: string): string | undefined {
  return value === '' ? 'is empty' : undefined;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
