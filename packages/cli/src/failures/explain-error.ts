import { isInnkeepError, isProblemError, MerchantError, type ProblemError } from '@innkeep/core/errors';
import { CliError } from './cli-error.ts';
import { EXIT } from './exit-code.ts';

const UNKNOWN_KEY = [
  'The proxy does not know this key. Check INNKEEP_SECRET_KEY or INNKEEP_PLATFORM_KEY, and INNKEEP_ENDPOINT.',
  'The SHA-256 of a merchant key must be in merchantKeys of the property; `innkeep hotel check` compares them.',
  'The SHA-256 of a platform key must be in keys of PLATFORM_<ID>: see `innkeep platform add`.',
];
const NOT_ALLOWED = [
  'The key lacks the scope, or is not for this hotel or this address, or the gateway does not allow this message.',
  'Add what is missing to scopes, properties or allowFrom of the key, or to gateway.allow of the property.',
];

/** What to do about each refusal of the proxy. */
const STEPS: Readonly<Record<string, (problem: ProblemError) => readonly string[]>> = {
  invalid_request: ({ param, resource }) => {
    if (param === 'livemode')
      return ['A platform without livemode has only test hotels. Make its keys with --live: innkeep platform add'];
    if (param === 'attempt' && resource !== undefined)
      return ['Add --attempt and its number. See them:', get(resource)];
    if (param === 'card')
      return ['Take the token from the hotel’s own records (--token-file), or another session: innkeep session list'];
    return [param === undefined ? 'Correct the command.' : `Correct ${param}.`];
  },
  unauthorized: ({ message }) => {
    if (!message.includes('This key expired')) return UNKNOWN_KEY;
    return ['Make the next one: innkeep hotel key add, or innkeep platform key add'];
  },
  forbidden: ({ message }) => {
    if (!message.includes('cannot tell where this request came from')) return NOT_ALLOWED;
    return ['In the proxy’s settings, name the header that has the address: CLIENT_ADDRESS_HEADER=x-real-ip'];
  },
  not_found: ({ message }) =>
    message.includes('nothing at this address')
      ? ['Check INNKEEP_ENDPOINT: it has no path. Or the proxy is older than this command: update it.']
      : ['Check the id, and that the key is for the same hotel.'],
  payment_in_progress: ({ resource }) => ['The guest is paying. Look again later:', get(resource)],
  session_not_open: ({ resource }) => ['This needs an open session. See what became of it:', get(resource)],
  too_many_attempts: ({ resource }) => [
    'Nobody can try again in this session. See why no attempt succeeded:',
    get(resource),
    'Another payment needs a session with another key.',
  ],
  version_conflict: () => [
    'Somebody else has changed the hotel meanwhile, or it does not exist yet. Nothing was changed.',
    'Look at its present version, then repeat the command: innkeep hotel show, innkeep hotel versions',
  ],
  precondition_required: () => [
    'The hotel exists already, or was removed. To restore it: innkeep hotel roll-back. To change some fields: innkeep hotel set',
    'If the answer with its key was lost: innkeep hotel key add',
    'To replace all of it: innkeep hotel put, with --if-version and the version that `innkeep hotel show` prints',
  ],
  configured_by_secret: ({ resource = 'aurora' }) => [
    'Its settings are a secret of the deployment: write them with `innkeep hotel add … --deploy`, or into its --env file.',
    `To keep it in the directory: innkeep hotel put ${resource} --from FILE, and then remove PROPERTY_${resource.toUpperCase()} from the deployment`,
  ],
  idempotency_in_progress: () => [
    'The first call with this key is still running. Repeat the same command in a moment.',
  ],
  idempotency_mismatch: () => [
    'This key stands for something else: an earlier call with other content, or a session of another kind, reference or currency.',
    'To ask for the outcome of that call, repeat it unchanged. For something new, use a new key.',
  ],
  possible_duplicate: ({ resource }) => [
    'The same one is under way, its outcome is not known, or it succeeded in the last ten minutes. Look at it first:',
    get(resource),
    'Add --allow-duplicate only if this really is a second one.',
  ],
  limit_reached: () => [
    'This is more than the key may still refund today. Nothing was sent. Refund less, wait for tomorrow, or use a key with a higher limit.',
  ],
  not_reversible: () => ['Nothing is left to refund, or the payment did not succeed. Look at the payment first.'],
  not_resolvable: ({ resource }) => [
    'This outcome cannot be resolved like this, or no longer. See its state:',
    get(resource),
  ],
  rate_limited: ({ retryAfterSeconds }) => [`Wait ${retryAfterSeconds ?? 'some'} seconds and repeat the command.`],
  property_unavailable: ({ param }) =>
    param !== undefined && /^[A-Z][A-Z0-9_]+$/.test(param)
      ? [`The proxy cannot use its setting ${param} for any hotel. Correct it where the proxy is deployed.`]
      : [
          param === undefined
            ? 'The proxy cannot use this hotel’s settings or its login.'
            : `The proxy cannot use the field ${param} of this hotel’s settings.`,
          'Find out what is wrong: innkeep hotel check; for a hotel of the directory: innkeep hotel show',
        ],
  upstream_unavailable: () => ['The payment service is down. Nothing was sent to it. Repeat the command later.'],
  ledger_full: () => [
    'The hotel’s ledger is full. Nothing was sent. Tell whoever runs the proxy; charge at the front desk meanwhile.',
  ],
  upstream_error: (problem) =>
    isGatewayRefusal(problem)
      ? ['The gateway refuses the key, and did nothing. Check gateway.apiKey and apiKeyIn: innkeep hotel check']
      : ['The payment service failed. See its state: innkeep status, or innkeep hotel check'],
  upstream_rejected: () => [
    'The payment service refused the request. See what is wrong: innkeep hotel check; for a hotel of the directory: innkeep hotel show',
  ],
  upstream_timeout: () => ['The payment service did not answer in time. Look again later.'],
  internal: ({ traceId }) => [`Look for the request ${traceId ?? ''} in the proxy’s log.`],
};

/** What to do about a failure before the proxy, or between it and us. */
const CORE_STEPS: Readonly<Record<string, readonly string[]>> = {
  network: ['Check INNKEEP_ENDPOINT and that the proxy runs there; then repeat the command.'],
  timeout: ['Check that the proxy runs; then repeat the command.'],
  upstream_status: ['Check that the proxy runs: a web server may answer for it. If it runs, check INNKEEP_ENDPOINT.'],
  invalid_response: ['Check INNKEEP_ENDPOINT: what answers there is not the proxy.'],
};
const TOO_LARGE = ['Ask for a shorter range, or for fewer at a time with --limit.'];

/** Whether the gateway itself has refused its key: then nothing was carried out. */
export function isGatewayRefusal(error: unknown): boolean {
  const status = error instanceof MerchantError && error.code === 'upstream_error' ? error.upstreamStatus : undefined;
  return status === 401 || status === 403;
}

/** A failure in the words of the command line. */
export function explainError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  if (isProblemError(error)) {
    const { code, status, param, resource, traceId, retryAfterSeconds } = error;
    return new CliError(code, error.message, {
      exitCode: EXIT.failed,
      next: (STEPS[code]?.(error) ?? []).filter((step) => step !== ''),
      details: { status, param, resource, traceId, retryAfterSeconds },
      cause: error,
    });
  }
  if (!isInnkeepError(error)) {
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return new CliError('unexpected', `Something failed unexpectedly: ${what}`, {
      exitCode: EXIT.failed,
      next: [
        'Check that INNKEEP_ENDPOINT is the proxy. With INNKEEP_DEBUG=1 it says where it failed; please report that.',
      ],
      cause: error,
    });
  }
  const isUsage = error.code === 'invalid_input' || error.code === 'configuration';
  return new CliError(error.code, withReason(error.message, error), {
    exitCode: isUsage ? EXIT.usage : EXIT.failed,
    next: error.message.endsWith(' is too large.') ? TOO_LARGE : (CORE_STEPS[error.code] ?? []),
    details: error.toJSON(),
    cause: error,
  });
}

/** The message of a failed connection with the reason as Node names it, such as ECONNREFUSED or CERT_HAS_EXPIRED. */
export function withReason(message: string, { cause }: Error): string {
  if (!(cause instanceof Error)) return message;
  if (cause.cause instanceof Error) return withReason(message, cause);
  const { code } = cause as NodeJS.ErrnoException;
  return typeof code === 'string' ? message.replace(/\.$/, ` (${code}).`) : message;
}

/** The command that shows a resource, by the prefix of its id; empty when there is none. */
export function getCommandFor(id: string): string {
  const noun = { cs: 'session', ch: 'charge', rv: 'reversal' }[id.slice(0, id.indexOf('_'))];
  return noun === undefined ? '' : `innkeep ${noun} get ${id}`;
}

function get(id: string | undefined): string {
  return id === undefined ? '' : getCommandFor(id);
}
