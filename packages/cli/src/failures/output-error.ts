import { CliError } from './cli-error.ts';
import { EXIT } from './exit-code.ts';

/** Standard output cannot be written, as on a full disk. `wasSent`: whether the proxy was told to change something before that. */
export function outputError(cause: unknown, { wasSent }: { readonly wasSent: boolean }): CliError {
  const { code = 'error' } = cause as NodeJS.ErrnoException;
  return new CliError('output_failed', `Standard output could not be written (${code}).`, {
    exitCode: wasSent ? EXIT.outcomeUnknown : EXIT.failed,
    next: wasSent
      ? ['The proxy got the command, and may have carried it out. Look before you repeat it with another key.']
      : ['Make room, or write elsewhere, and run it again. What it wrote into files stays.'],
    cause,
  });
}
