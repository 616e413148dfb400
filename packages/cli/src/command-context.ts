import { createMerchantClient, type MerchantClient } from '@innkeep/core/merchant';
import { isLocalNetworkHost } from '@innkeep/core/values';
import { usageError } from './cli-error.ts';
import { readSecret } from './input/secret-source.ts';
import type { Io } from './io.ts';

/** Options that every command takes. */
export interface GlobalFlags {
  readonly json?: boolean | undefined;
  readonly endpoint?: string | undefined;
  readonly secretKeyFile?: string | undefined;
}

/** What a command has at hand. */
export interface CommandContext {
  readonly io: Io;
  readonly isJson: boolean;
  /** The words of the command line, without secrets. */
  readonly words: readonly string[];
  /** Writes the answer: JSON for scripts, else the text for people. */
  answer(value: unknown, text: string): Promise<void>;
  /** Tells a person something that is not data; with `--json` one JSON line on standard error. */
  note(text: string, details?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Address of the proxy, or undefined when nobody named one. */
  endpoint(): string | undefined;
  /** The merchant key, when it can be had without asking anybody. */
  knownSecretKey(): Promise<string | undefined>;
  merchant(): Promise<MerchantClient>;
  /**
   * How many calls so far may have been executed although nobody knows: their answer was lost or no answer of the proxy.
   * A refusal proves nothing about an earlier try of the same call.
   */
  doubtfulCalls(): number;
}

const SECRET_KEY = {
  what: 'the merchant key (sk_…)',
  variable: 'INNKEEP_SECRET_KEY',
  fileOption: '--secret-key-file',
  complaint: (value: string) => (/^sk_[!-~]+$/.test(value) ? undefined : 'does not begin with sk_'),
};

/** Makes the context of one command run. */
export function createCommandContext(io: Io, flags: GlobalFlags, words: readonly string[]): CommandContext {
  const isJson = flags.json === true;
  const endpoint = (): string | undefined => checkedEndpoint(flags.endpoint ?? io.env.INNKEEP_ENDPOINT);
  const readKey = (from: Io): Promise<string> => readSecret(from, { ...SECRET_KEY, file: flags.secretKeyFile });
  let doubtful = 0;
  const watchedFetch: typeof fetch = async (input, init) => {
    try {
      const answer = await io.fetch(input, init);
      if (!isRefusal(answer)) doubtful++;
      return answer;
    } catch (error) {
      doubtful++;
      throw error;
    }
  };
  return {
    io,
    isJson,
    words,
    endpoint,
    answer: (value, text) => io.writeOut(isJson ? `${JSON.stringify(value, undefined, 2)}\n` : text),
    note: (text, details = {}) => io.writeErr(isJson ? `${JSON.stringify({ note: text, ...details })}\n` : `${text}\n`),
    async knownSecretKey() {
      if (flags.secretKeyFile === undefined && (io.env.INNKEEP_SECRET_KEY ?? '') === '') return undefined;
      return readKey({ ...io, prompter: undefined });
    },
    async merchant() {
      const address = endpoint();
      if (address === undefined) {
        throw usageError(
          'There is no address of the proxy.',
          'Set INNKEEP_ENDPOINT, or add --endpoint https://pay.hotel.example',
        );
      }
      const secretKey = await readKey(io);
      return createMerchantClient({ endpoint: address, secretKey, fetch: watchedFetch });
    },
    doubtfulCalls: () => doubtful,
  };
}

/** Whether this is the proxy's own no. A 5xx other than 503 may come after something was done. */
function isRefusal({ status, headers }: Response): boolean {
  const isProblem = (headers.get('content-type') ?? '').startsWith('application/problem+json');
  return isProblem && (status === 503 || (status >= 400 && status < 500 && status !== 408));
}

function checkedEndpoint(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Into the local network the client sends test keys alone.
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocalNetworkHost(url.hostname));
  if (url !== undefined && isSafe && url.username === '' && url.search === '' && url.hash === '')
    return text.replace(/\/{1,9}$/, '');
  throw usageError(
    'The address of the proxy must be https (http only on this machine), without query.',
    'Check INNKEEP_ENDPOINT or --endpoint: the merchant key must not travel in the clear.',
  );
}
