import {
  createMerchantClient,
  createPlatformClient,
  type EventFeed,
  type MerchantClient,
  type PlatformClient,
  type PlatformEvent,
  type WebhookEvent,
} from '@innkeep/core/merchant';
import { isLocalNetworkHost } from '@innkeep/core/values';
import { usageError } from '../failures/cli-error.ts';
import { EXIT, type ExitCode } from '../failures/exit-code.ts';
import { outputError } from '../failures/output-error.ts';
import { given } from '../input/given.ts';
import { readSecret, type SecretSource } from '../input/secret-source.ts';
import type { Io } from '../process/io.ts';
import { requirePropertyId } from '../property/property.ts';

/** Options that every command takes. */
export interface GlobalFlags {
  readonly json?: boolean | undefined;
  readonly endpoint?: string | undefined;
  readonly secretKeyFile?: string | undefined;
  readonly platformKeyFile?: string | undefined;
  readonly property?: string | undefined;
}

export interface CommandContext {
  readonly io: Io;
  readonly isJson: boolean;
  /** The words of the command line, without secrets. */
  readonly words: readonly string[];
  /** Writes the answer: JSON for scripts, else the text for people. @returns the exit code of success */
  answer(value: unknown, text: string): Promise<ExitCode>;
  /** Tells a person something that is not data; with `--json` one JSON line on standard error. */
  note(text: string, details?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Address of the proxy, or undefined when nobody named one. */
  endpoint(): string | undefined;
  /** The merchant key, when it is there without a question. */
  knownSecretKey(): Promise<string | undefined>;
  /** The hotel that was named with `--property`; a platform key acts for it. */
  property(): string | undefined;
  /**
   * Acts for a hotel: with its own key, or with a platform key for `property`, which is `--property` unless it is given. Without a
   * platform key, the hotel's own key must be that of `property`.
   */
  merchant(property?: string): Promise<MerchantClient>;
  /** Whether a platform key is there without a question. */
  hasPlatformKey(): boolean;
  /** The feed of events: of the hotel that the key or `--property` names, else of all hotels of the platform key. */
  events(): Promise<EventFeed<WebhookEvent | PlatformEvent>>;
  /** Manages hotels, with a platform key. */
  platform(): Promise<PlatformClient>;
  /**
   * How many calls so far may have been executed without anybody knowing: their answer was lost, or was not the proxy's.
   * A refusal proves nothing about an earlier try of the same call.
   */
  doubtfulCalls(): number;
}

const SECRET_KEY = {
  what: 'the merchant key (sk_…)',
  variable: 'INNKEEP_SECRET_KEY',
  fileOption: '--secret-key-file',
  validate: (value: string) => (/^sk_[!-~]+$/.test(value) ? undefined : 'does not begin with sk_'),
};

const PLATFORM_KEY = {
  what: 'the platform key (pk_…)',
  variable: 'INNKEEP_PLATFORM_KEY',
  fileOption: '--platform-key-file',
  validate: (value: string) => (/^pk_[!-~]+$/.test(value) ? undefined : 'does not begin with pk_'),
};

export function createCommandContext(outer: Io, flags: GlobalFlags, words: readonly string[]): CommandContext {
  const io: Io = {
    ...outer,
    writeOut: (data) =>
      outer.writeOut(data).catch((error: unknown) => {
        throw outputError(error, { wasSent });
      }),
  };
  const isJson = flags.json === true;
  const endpoint = (): string | undefined => checkedEndpoint(flags.endpoint ?? io.env.INNKEEP_ENDPOINT);
  const requireEndpoint = (): string => {
    const address = endpoint();
    if (address !== undefined) return address;
    throw usageError(
      'There is no address of the proxy.',
      'Set INNKEEP_ENDPOINT, or add --endpoint https://pay.hotel.example',
    );
  };
  const isAtHand = ({ variable }: SecretSource, file: string | undefined): boolean =>
    file !== undefined || (io.env[variable] ?? '') !== '';
  const hasSecretKey = (): boolean => isAtHand(SECRET_KEY, flags.secretKeyFile);
  const hasPlatformKey = (): boolean => isAtHand(PLATFORM_KEY, flags.platformKeyFile);
  const readKey = (from: Io): Promise<string> => readSecret(from, { ...SECRET_KEY, file: flags.secretKeyFile });
  // Standard input can be read only once, and a question is asked only once.
  let platformKey: Promise<string> | undefined;
  const readPlatformKey = (): Promise<string> => {
    platformKey ??= readSecret(io, { ...PLATFORM_KEY, file: flags.platformKeyFile });
    return platformKey;
  };
  const namedProperty = (): string | undefined =>
    flags.property === undefined ? undefined : requirePropertyId(flags.property, '--property: ');
  let doubtful = 0;
  let wasSent = false;
  const person = requirePerson(io);
  const watchedFetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    if (person !== undefined) request.headers.set('innkeep-person', person);
    wasSent ||= request.method !== 'GET';
    try {
      const answer = await io.fetch(request);
      if (!isRefusal(answer)) doubtful++;
      return answer;
    } catch (error) {
      doubtful++;
      throw error;
    }
  };
  const isForAll = (): boolean => namedProperty() === undefined && !hasSecretKey() && hasPlatformKey();
  async function merchant(property = namedProperty()): Promise<MerchantClient> {
    const address = requireEndpoint();
    if (property === undefined && isForAll()) {
      throw usageError('A platform key is for many hotels: say which one.', 'Add --property aurora');
    }
    const isOwn = property === undefined || (hasSecretKey() && !hasPlatformKey());
    const secretKey = isOwn ? await readKey(io) : await readPlatformKey();
    return createMerchantClient({ endpoint: address, secretKey, fetch: watchedFetch, ...given({ property }) });
  }
  async function platform(): Promise<PlatformClient> {
    const address = requireEndpoint();
    return createPlatformClient({ endpoint: address, platformKey: await readPlatformKey(), fetch: watchedFetch });
  }
  return {
    io,
    isJson,
    words,
    endpoint,
    async answer(value, text) {
      await io.writeOut(isJson ? `${JSON.stringify(value, undefined, 2)}\n` : text);
      return EXIT.ok;
    },
    note: (text, details = {}) => io.writeErr(isJson ? `${JSON.stringify({ note: text, ...details })}\n` : `${text}\n`),
    async knownSecretKey() {
      if (!hasSecretKey()) return undefined;
      return readKey({ ...io, prompter: undefined });
    },
    property: namedProperty,
    merchant,
    events: async () => (isForAll() ? await platform() : await merchant()).events,
    hasPlatformKey,
    platform,
    doubtfulCalls: () => doubtful,
  };
}

/** Whether this is the proxy's own refusal. A 5xx other than 503 may come after something was done. */
function isRefusal({ status, headers }: Response): boolean {
  const isProblem = (headers.get('content-type') ?? '').startsWith('application/problem+json');
  return isProblem && (status === 503 || (status >= 400 && status < 500 && status !== 408));
}

function checkedEndpoint(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The client sends only test keys into the local network.
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocalNetworkHost(url.hostname));
  if (url !== undefined && isSafe && url.username === '' && url.search === '' && url.hash === '')
    return text.replace(/\/{1,9}$/, '');
  throw usageError(
    'The address of the proxy must be https (http only on this machine), without a query.',
    'Check INNKEEP_ENDPOINT or --endpoint: the merchant key must not travel in the clear.',
  );
}

/** Who runs the command, for the audit; undefined when nobody is named. */
function requirePerson({ env }: Io): string | undefined {
  const { INNKEEP_PERSON: person = '' } = env;
  if (person === '' || /^[!-~]{1,64}$/.test(person)) return person || undefined;
  throw usageError('INNKEEP_PERSON must be 1 to 64 visible ASCII characters: an id, such as emp-42.');
}
