/** The file of settings: read, checked before anything starts, and given the key that a test hotel lacks. */
import { randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { isLocalNetworkHost } from '@innkeep/core/values';
import { isMaxBytes } from '../ledger/ledger-capacity.ts';
import { describeInvalid, parseProperties, parseProperty } from '../properties/configured-properties.ts';
import { type Platforms, parsePlatforms } from '../properties/platforms.ts';
import { publicUrlOf, type Settings } from '../properties/settings.ts';
import { parseTelemetrySettings } from '../telemetry/telemetry-settings.ts';
import { parseEnvFile } from './serve-env-file.ts';

/** What a file may have besides hotels and platforms. */
const SETTINGS: Readonly<Record<Exclude<keyof Settings, 'STARTED_AT' | 'MAX_PENDING_PAYMENTS'>, true>> = {
  PUBLIC_URL: true,
  JURISDICTION: true,
  CLIENT_ADDRESS_HEADER: true,
  SEALING_KEYS: true,
  OTEL_EXPORTER_OTLP_ENDPOINT: true,
  OTEL_EXPORTER_OTLP_HEADERS: true,
  OTEL_SERVICE_NAME: true,
  OTEL_TRACES_SAMPLER_ARG: true,
  LEDGER_MAX_BYTES: true,
};

/** An empty ledger has less than a fifth of this. */
const LEAST_LEDGER_BYTES = 1_000_000;

function isSetting(name: string): boolean {
  return name in SETTINGS || /^(PROPERTY|PLATFORM)_[A-Z0-9_]{1,40}$/.test(name);
}

/** What a name may have been meant for. */
function hintOf(name: string): string {
  const [, kind] = /^(PROPERTY|PLATFORM)_/i.exec(name) ?? [];
  return kind === undefined ? '' : `: ${kind.toUpperCase()}_ is followed by 1 to 40 of A-Z, 0-9 and _`;
}

/** Reads the file of settings, and says what is odd about it. */
export function readEnvironment(envFile: string): Record<string, string> {
  let text: string;
  try {
    text = readFileSync(envFile, 'utf8');
  } catch (error) {
    throw new Error(`--env: ${envFile} cannot be read (${errorCode(error)})`);
  }
  const say = (what: string): void => void process.stderr.write(`${envFile}: ${what}\n`);
  const { mode } = statSync(envFile);
  if (process.platform !== 'win32' && (mode & 0o004) !== 0) say(`other users can read it: chmod 600 ${envFile}`);
  try {
    const values = parseEnvFile(text, (name) => say(`${name} appears twice: the last one counts`));
    for (const name of Object.keys(values))
      if (!isSetting(name)) say(`${name} is not a setting of the proxy${hintOf(name)}`);
    return values;
  } catch (error) {
    throw new Error(`${envFile}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * Test hotels without sealing keys get one, in the file that neither the data nor its backups have. Where that cannot be written,
 * the password stands in for it.
 */
export function withSealingKey(environment: Record<string, string>, envFile: string): Record<string, string> {
  // What is written into a pipe is lost.
  if ((environment.SEALING_KEYS ?? '') !== '' || !statSync(envFile).isFile()) return environment;
  const key = randomBytes(32).toString('base64');
  try {
    appendFileSync(envFile, `\nSEALING_KEYS='${key}'\n`);
  } catch {
    return environment;
  }
  return { ...environment, SEALING_KEYS: key };
}

/** Says at once what the worker would say to every caller. Without a single usable hotel there is nothing to start. */
export function checkConfiguration(
  environment: Readonly<Record<string, string>>,
  envFile: string,
): { readonly hasLiveHotel: boolean; readonly platforms: Platforms } {
  if (environment.PUBLIC_URL !== undefined && publicUrlOf(environment, 'http://127.0.0.1/') === undefined) {
    throw new Error(`${envFile}: PUBLIC_URL must be an https origin (http only for this machine)`);
  }
  const { CLIENT_ADDRESS_HEADER = '', LEDGER_MAX_BYTES = '', JURISDICTION = '' } = environment;
  if (JURISDICTION !== '') {
    throw new Error(
      `${envFile}: JURISDICTION is for Cloudflare: here everything is stored on this machine, so remove the line`,
    );
  }
  const isTooLittle = !isMaxBytes(LEDGER_MAX_BYTES) || Number(LEDGER_MAX_BYTES) < LEAST_LEDGER_BYTES;
  if (LEDGER_MAX_BYTES !== '' && isTooLittle) {
    throw new Error(`${envFile}: LEDGER_MAX_BYTES must be a number of bytes, at least 1000000, such as 20000000000`);
  }
  if (!/^[\w-]*$/.test(CLIENT_ADDRESS_HEADER)) {
    throw new Error(`${envFile}: CLIENT_ADDRESS_HEADER must be the name of a header, such as x-real-ip`);
  }
  const telemetry = parseTelemetrySettings(environment);
  if (telemetry !== undefined && 'issue' in telemetry) throw new Error(`${envFile}: ${telemetry.issue}`);
  const { all } = parseProperties(environment);
  const platforms = parsePlatforms(environment);
  const issues = [
    ...all.flatMap((property) => (property.invalid ? describeInvalid(property) : [])),
    ...platforms.issues,
  ];
  for (const issue of issues) process.stderr.write(`${envFile}: ${issue}\n`);
  if (all.every((property) => property.invalid) && platforms.all.length === 0) {
    throw new Error(`${envFile}: no usable hotel; add one line PROPERTY_<ID>='{…}' with its JSON in single quotes`);
  }
  // By its own text: a live hotel that lacks only SEALING_KEYS would be served with those that are made for a test hotel.
  const own = all.map(({ id }) => parseProperty(id, environment[`PROPERTY_${id.toUpperCase()}`]));
  // The hotels of a platform are not known yet: they may be live if it may.
  const hasLiveHotel = own.some((property) => !property.invalid && isLive(property)) || platforms.all.some(isLive);
  if (hasLiveHotel && (environment.PUBLIC_URL ?? '') === '') {
    process.stderr.write(
      `${envFile}: PUBLIC_URL is missing: set it, or the links of live hotels lead only to this machine\n`,
    );
  }
  if (hasLiveHotel && telemetry !== undefined && isLocalNetworkHost(new URL(telemetry.endpoint).hostname)) {
    process.stderr.write(
      `${envFile}: OTEL_EXPORTER_OTLP_ENDPOINT is on this machine or in its network, which the proxy of a live hotel does not reach: nothing is measured\n`,
    );
  }
  return { hasLiveHotel, platforms };
}

export function isLive({ livemode }: { readonly livemode: boolean }): boolean {
  return livemode;
}

export function errorCode(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code ?? error);
}
