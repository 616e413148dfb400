import { resolve } from 'node:path';
import type { PropertyInput } from '@innkeep/core/contract';
import { isInnkeepError, isProblemError } from '@innkeep/core/errors';
import { Option } from 'commander';
import { adviseAmountUnit } from '../checks/amount-unit.ts';
import { type CheckResult, ok, problem } from '../checks/check-result.ts';
import { checkChunkedBodies, skippedChunkedBodies } from '../checks/chunked-bodies.ts';
import { checkClock } from '../checks/clock.ts';
import { checkGatewayKey } from '../checks/gateway-key.ts';
import { adviseKeyScopes } from '../checks/key-scopes.ts';
import { checkCors, checkMerchantKey, checkProxy, skippedProxy } from '../checks/proxy.ts';
import { checkReturnCodes } from '../checks/return-codes.ts';
import { checkLogin, checkTrustedUrls, connectUpstream, skippedTrustedUrls } from '../checks/upstream.ts';
import type { CommandContext } from '../context/command-context.ts';
import { usageError } from '../failures/cli-error.ts';
import { EXIT } from '../failures/exit-code.ts';
import { readJsonObject } from '../input/read-input.ts';
import { readEnvFile } from '../property/env-file.ts';
import { describeIssue, parseProperty, requirePropertyId, secretNameOf } from '../property/property.ts';
import { plainText } from '../terminal/plain-text.ts';
import { type CommandSpec, defineCommand } from './command-spec.ts';
import { DEFAULT_ENV_FILE } from './hotel-target.ts';

interface CheckFlags {
  readonly env: string;
  readonly valueFile?: string;
  readonly hostedPage: boolean;
}

/** A property as a file holds it, and what else the file says. */
interface FoundProperty {
  readonly id: string;
  readonly json: unknown;
  readonly publicUrl: string | undefined;
  /** Undefined where the file holds only one hotel. */
  readonly hasSealingKeys?: boolean;
}

const NO_SEALING_KEYS = problem(
  'sealing-keys',
  'The file has no SEALING_KEYS, without which the proxy serves no live hotel.',
  "Add the line SEALING_KEYS='…' with what `openssl rand -base64 32` prints.",
);

export const hotelCheck: CommandSpec<CheckFlags> = defineCommand<CheckFlags>({
  usage: 'check [id]',
  summary: 'Find what is wrong with a hotel’s set-up, and print the fix',
  details: [
    'Checks the settings, the login, the addresses that the payment service hands out, whether it takes chunked bodies, the clocks, the amount unit, the gateway key and what the merchant keys may do. When the proxy’s address is known (INNKEEP_ENDPOINT, --endpoint, or PUBLIC_URL in the file), it also checks the proxy, CORS from each origin, the merchant key in INNKEEP_SECRET_KEY, and with it the return codes of refused charges and reversals. With INNKEEP_PLATFORM_KEY it also compares the origins with those of the running proxy.',
    'It moves no money. To learn the addresses, it starts one hosted card page that nobody opens; --no-hosted-page skips that.',
    'Ends with 1 when something needs a fix.',
  ].join('\n'),
  options: [
    new Option('--env <file>', 'file with the settings').default(DEFAULT_ENV_FILE),
    new Option('--value-file <file>', 'file with only this hotel’s JSON, as hotel add --deploy writes it'),
    new Option('--no-hosted-page', 'start no hosted page at the payment service'),
  ],
  examples: ['innkeep hotel check', 'innkeep hotel check aurora --endpoint https://pay.hotel.example --json'],
  async run(context, [givenId], flags) {
    const found = await findProperty(context, givenId, flags);
    const checks = await runChecks(context, found, flags);
    const isHealthy = checks.every(({ status }) => status !== 'problem');
    await context.answer({ property: found.id, ok: isHealthy, checks }, report(checks));
    return isHealthy ? EXIT.ok : EXIT.failed;
  },
});

async function runChecks(
  context: CommandContext,
  { id, json, publicUrl, hasSealingKeys }: FoundProperty,
  flags: CheckFlags,
): Promise<readonly CheckResult[]> {
  const { io } = context;
  const checked = checkedProperty(json);
  if ('issues' in checked) {
    return checked.issues.map((issue) =>
      problem('settings', `${describeIssue(issue)}.`, `Correct it in ${secretNameOf(id)}.`),
    );
  }
  const { property } = checked;
  const upstream = connectUpstream(io, property);
  const login = await checkLogin(io, property, upstream);
  const urls =
    login.status !== 'ok'
      ? skippedTrustedUrls('The addresses of the payment service cannot be checked until the login works.')
      : flags.hostedPage
        ? await checkTrustedUrls(io, property, upstream)
        : skippedTrustedUrls('No hosted page was started.');
  return [
    ok('settings', `${secretNameOf(id)} is complete: ${property.displayName}.`),
    ...(property.livemode === true && hasSealingKeys === false ? [NO_SEALING_KEYS] : []),
    login,
    urls,
    login.status === 'ok' ? await checkChunkedBodies(io, property) : skippedChunkedBodies(),
    checkClock('clock', 'the payment service', upstream.clockReadings),
    adviseAmountUnit(property),
    await checkGatewayKey(io, property),
    adviseKeyScopes(property),
    ...(await checkProxySide(context, { id, property, publicUrl })),
  ];
}

/** The property, or all that is wrong. The schema would take a list for an object without any field. */
function checkedProperty(json: unknown): ReturnType<typeof parseProperty> {
  if (json === undefined) return { issues: [{ field: '', message: 'must be JSON' }] };
  if (Array.isArray(json)) return { issues: [{ field: '', message: 'must be an object' }] };
  return parseProperty(json);
}

async function checkProxySide(
  context: CommandContext,
  { id, property, publicUrl }: { id: string; property: PropertyInput; publicUrl: string | undefined },
): Promise<readonly CheckResult[]> {
  const { io } = context;
  const endpoint = context.endpoint() ?? publicUrl?.replace(/\/{1,9}$/, '');
  if (endpoint === undefined || !URL.canParse(endpoint)) return [skippedProxy()];
  const proxy = await checkProxy(io, endpoint);
  if (proxy.some(({ check, status }) => check === 'proxy' && status !== 'ok')) return proxy;
  const cors: CheckResult[] = [];
  const running = await runningOrigins(context, id);
  for (const origin of property.origins) cors.push(await checkCors(io, { endpoint, origin, running }));
  if (cors.length === 0) {
    cors.push(problem('cors', 'No page may start payments.', 'Add the origins of the hotel’s pages to origins.'));
  }
  const secretKey = await context.knownSecretKey();
  if (secretKey === undefined) return [...proxy, ...cors];
  const key = await checkMerchantKey(io, { endpoint, property, id, secretKey });
  const codes = key.status === 'ok' ? [await checkReturnCodes(io, { endpoint, secretKey, property })] : [];
  return [...proxy, ...cors, key, ...codes];
}

/** Origins as the running proxy has them; undefined when only a platform key could tell, and there is none. */
async function runningOrigins(context: CommandContext, id: string): Promise<readonly string[] | undefined> {
  if (!context.hasPlatformKey() || context.endpoint() === undefined) return undefined;
  try {
    const { properties } = await context.platform();
    return (await properties.retrieve(id, { signal: context.io.signal })).settings?.origins;
  } catch (error) {
    // Nothing is known of a hotel that is not served yet, or that the key is not for.
    if (isProblemError(error)) return undefined;
    throw error;
  }
}

/** What to do about a hotel that no file has: the commands for those of the directory, where it is one. */
async function otherwise(context: CommandContext, id: string | undefined, hint: string): Promise<readonly string[]> {
  if (!context.hasPlatformKey() || context.endpoint() === undefined) return [hint];
  if (id === undefined) return [hint, 'For the hotels of the directory: innkeep hotel list, innkeep hotel show'];
  try {
    const { properties } = await context.platform();
    const { source } = await properties.retrieve(id, { signal: context.io.signal });
    if (source !== 'directory') return [hint];
    return [`${id} is in the directory: innkeep hotel show ${id}`, `How it is doing: innkeep status --property ${id}`];
  } catch (error) {
    if (isInnkeepError(error)) return [hint];
    throw error;
  }
}

async function findProperty(
  context: CommandContext,
  givenId: string | undefined,
  { env: envFile, valueFile }: CheckFlags,
): Promise<FoundProperty> {
  const { io } = context;
  const id = givenId === undefined ? undefined : requirePropertyId(givenId);
  if (valueFile !== undefined) {
    const named = /(?:^|[\\/])PROPERTY_([A-Z0-9_]{1,40})\.json$/.exec(valueFile)?.[1]?.toLowerCase();
    const json = await readJsonObject(io, valueFile, '--value-file');
    return { id: id ?? named ?? 'hotel', json, publicUrl: undefined };
  }
  const values = await readEnvFile(resolve(io.cwd, envFile));
  const addHint = 'Set the hotel up first: innkeep hotel add';
  if (values === undefined) {
    const steps = await otherwise(context, id, addHint);
    throw usageError(`There is no file ${envFile} here.`, 'Name it with --env FILE', ...steps);
  }
  const ids = [...values.keys()].flatMap((name) => /^PROPERTY_([A-Z0-9_]{1,40})$/.exec(name)?.[1]?.toLowerCase() ?? []);
  const chosen = id ?? (ids.length === 1 ? ids[0] : undefined);
  if (chosen === undefined) {
    throw usageError(
      ids.length === 0 ? `${envFile} has no hotel.` : `${envFile} has more than one hotel: ${ids.join(', ')}.`,
      ...(ids.length === 0
        ? await otherwise(context, undefined, addHint)
        : [`Name one: innkeep hotel check ${ids[0]}`]),
    );
  }
  const text = values.get(secretNameOf(chosen));
  if (text === undefined) {
    const steps = await otherwise(context, chosen, `It has: ${ids.join(', ') || 'no hotel'}.`);
    throw usageError(`${envFile} has no ${secretNameOf(chosen)}.`, ...steps);
  }
  const hasSealingKeys = (values.get('SEALING_KEYS') ?? '') !== '';
  return { id: chosen, json: parseJson(text), publicUrl: values.get('PUBLIC_URL'), hasSealingKeys };
}

/** Undefined when the text is no JSON; the settings' check says so. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MARKS = { ok: 'ok', problem: 'PROBLEM', advice: 'advice', skipped: 'skipped' } as const;

function report(checks: readonly CheckResult[]): string {
  const width = Math.max(...checks.map(({ check }) => check.length));
  return checks
    .map(({ check, status, message, fix }) => {
      const line = `${MARKS[status].padEnd(7)}  ${check.padEnd(width)}  ${plainText(message)}\n`;
      return fix === undefined ? line : `${line}${' '.repeat(width + 11)}→ ${plainText(fix)}\n`;
    })
    .join('');
}
