import type { PropertyInput } from '@innkeep/core/contract';
import { isInnkeepError, isProblemError } from '@innkeep/core/errors';
import { createMerchantClient } from '@innkeep/core/merchant';
import { withReason } from '../failures/explain-error.ts';
import type { Io } from '../process/io.ts';
import { secretNameOf } from '../property/property.ts';
import { sha256Of } from '../property/secrets.ts';
import { type CheckResult, ok, problem, skipped } from './check-result.ts';
import { checkClock, readClock } from './clock.ts';

const TIMEOUT_MS = 15_000;
const START_HEADERS = ['authorization', 'content-type'];

/** Whether the proxy answers at its address, and what its clock says. */
export async function checkProxy(io: Io, endpoint: string): Promise<readonly CheckResult[]> {
  const sentAt = io.now();
  const answer = await send(io, `${endpoint}/healthz`, {});
  if (answer instanceof Error || !answer.ok) {
    return [
      problem(
        'proxy',
        answer instanceof Error
          ? withReason(`${endpoint} does not answer.`, answer)
          : `${endpoint} answers ${answer.status} to /healthz.`,
        'Start or deploy the proxy, or correct INNKEEP_ENDPOINT, --endpoint or PUBLIC_URL.',
      ),
    ];
  }
  const reading = readClock(answer.headers.get('date'), sentAt, io.now());
  const clock = reading === undefined ? [] : [checkClock('proxy-clock', 'the proxy', [reading])];
  return [ok('proxy', `The proxy answers at ${endpoint}.`), ...clock];
}

/**
 * Asks the proxy the way a guest's browser does before it starts a payment from this origin. The proxy lets every origin ask, and
 * the session's own hotel decides: so its `origins` are looked at, where a platform key can read them.
 */
export async function checkCors(
  io: Io,
  { endpoint, origin, running }: { endpoint: string; origin: string; running: readonly string[] | undefined },
): Promise<CheckResult> {
  const answer = await send(io, `${endpoint}/v1/checkout/start`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': START_HEADERS.join(','),
    },
  });
  if (answer instanceof Error) {
    return problem('cors', `${origin}: the proxy does not answer the preflight.`, 'Check that the proxy runs.');
  }
  const allowed = answer.headers.get('access-control-allow-origin');
  const methods = list(answer.headers.get('access-control-allow-methods'));
  const headers = list(answer.headers.get('access-control-allow-headers'));
  if (!answer.ok || (allowed !== origin && allowed !== '*')) {
    return problem(
      'cors',
      `${origin}: the preflight does not allow this origin.`,
      'Something between here and the proxy changes its headers: let OPTIONS pass through untouched.',
    );
  }
  if (running?.includes(origin) === false) {
    return problem(
      'cors',
      `${origin}: the proxy does not allow this origin.`,
      `The running proxy does not have "${origin}" in the origins of this property: deploy the property again, or restart the proxy.`,
    );
  }
  // A browser needs Authorization by name, even beside a wildcard, and allows POST by itself.
  const missing = START_HEADERS.filter((each) => !headers.includes(each));
  if (missing.length > 0 || (methods.length > 0 && !methods.includes('post') && !methods.includes('*'))) {
    return problem(
      'cors',
      `${origin}: the preflight does not allow ${missing.length > 0 ? missing.join(', ') : 'POST'}.`,
      'Something between here and the proxy changes its headers: let OPTIONS pass through untouched.',
    );
  }
  const isKnown = running === undefined ? '' : ' and is one of the running proxy’s origins';
  return ok('cors', `${origin} reaches the proxy${isKnown}.`);
}

/** Whether the merchant key at hand is one of the property's, and whether the running proxy accepts it. */
export async function checkMerchantKey(
  io: Io,
  { endpoint, property, id, secretKey }: { endpoint: string; property: PropertyInput; id: string; secretKey: string },
): Promise<CheckResult> {
  const name = 'merchant-key';
  const sha256 = sha256Of(secretKey);
  const key = property.merchantKeys.find((each) => each.sha256.toLowerCase() === sha256);
  if (key === undefined) {
    return problem(
      name,
      'INNKEEP_SECRET_KEY is not one of this property’s merchant keys.',
      `Use the key that belongs to it, or add { "id": "…", "sha256": "${sha256}", "scopes": ["checkout"] } to merchantKeys.`,
    );
  }
  if (!key.scopes.includes('checkout')) {
    return ok(name, `INNKEEP_SECRET_KEY is the key “${key.id}”. It lacks the scope checkout, so it was not tried.`);
  }
  try {
    const merchant = createMerchantClient({ endpoint, secretKey, fetch: io.fetch, timeoutMs: TIMEOUT_MS });
    const { data } = await merchant.checkoutSessions.list({ limit: 1 }, { signal: io.signal });
    const [session] = data;
    if (session !== undefined && session.property !== id) {
      return problem(
        name,
        `The proxy knows this key as a key of ${session.property}.`,
        'Give each property its own key.',
      );
    }
    return ok(name, `The proxy accepts the key “${key.id}”: ${key.scopes.join(', ')}.`);
  } catch (error) {
    if (!isInnkeepError(error)) throw error;
    const field = isProblemError(error) ? error.param : undefined;
    return problem(
      name,
      error.message,
      field === undefined
        ? `The running proxy has other settings: deploy ${secretNameOf(id)} again, or restart the proxy.`
        : `Correct ${field} in ${secretNameOf(id)} and deploy it again.`,
    );
  }
}

/** The checks that need the proxy's address, skipped. */
export function skippedProxy(): CheckResult {
  return skipped(
    'proxy',
    'The proxy’s address is not known, so its clock, CORS and merchant keys were not checked.',
    'Set INNKEEP_ENDPOINT, add --endpoint https://pay.hotel.example, or put PUBLIC_URL into the file.',
  );
}

async function send(io: Io, url: string, init: RequestInit): Promise<Response | Error> {
  try {
    const signal = AbortSignal.any([io.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    return await io.fetch(url, { ...init, signal, redirect: 'manual' });
  } catch (error) {
    io.signal.throwIfAborted();
    return Error('', { cause: error });
  }
}

function list(header: string | null): readonly string[] {
  return (header ?? '')
    .toLowerCase()
    .split(',')
    .map((value) => value.trim());
}
