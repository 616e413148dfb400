import { CLOCK_START } from '../domain/clock.ts';
import { DEFAULT_LIMITS, type Limits } from '../domain/ledger.ts';
import type { ProfileName } from '../profiles/profile.ts';
import type { AmountUnit } from '../wire/amount.ts';

/** How the gateway receives the product id. The specification does not say, so it is off unless configured. */
export interface ProductIdSetting {
  /** The id. */
  readonly value: string;
  /** Where it is in a request. */
  readonly in: 'header' | 'query' | 'form' | 'xml';
  /** Name of the header, query parameter, form parameter or child element. */
  readonly name: string;
}

/** Options of a sandbox. Everything has a default. */
export interface SandboxOptions {
  /** @default 'strict' */
  readonly profile?: ProfileName;
  /** @default 'demo' */
  readonly username?: string;
  /** @default 'demo-password' */
  readonly password?: string;
  /** 40 characters. @default '0123456789012345678901234567890123456789' */
  readonly apiKey?: string;
  /** Required of gateway requests when given. */
  readonly productId?: ProductIdSetting;
  /** Address to write into `viewUrl` and `stateRetrivalUrl`. @default the origin of the request itself */
  readonly baseUrl?: string | URL;
  /** What `amount` counts. @default 'minor' */
  readonly amountUnit?: AmountUnit;
  /** Unit of `expires_in`; it is 4800 either way. @default 'seconds' */
  readonly expiresInUnit?: 'seconds' | 'minutes';
  /** The same seed and the same calls give the same bytes. @default 'innkeep' */
  readonly seed?: string;
  /** The time. @default stands still at 2026-09-01T08:00:00; move it with `control.clock` */
  readonly now?: () => Date;
  /** How long the scenario `slow` delays an answer, in milliseconds. @default 3000 */
  readonly slowAnswerMs?: number;
  /** How much is remembered before the oldest is forgotten. */
  readonly limits?: Partial<Limits>;
  /** Used to visit callback addresses. @default globalThis.fetch */
  readonly callbackFetch?: (request: Request) => Promise<Response>;
}

/** Options with every default filled in. */
export interface Settings extends Required<Omit<SandboxOptions, 'productId' | 'baseUrl' | 'limits'>> {
  readonly productId: ProductIdSetting | undefined;
  /** Without a trailing slash. */
  readonly baseUrl: string | undefined;
  readonly limits: Limits;
  readonly providerDirect: string;
  readonly providerHosted: string;
  readonly hotelIDType: string;
}

/** A sandbox cannot be made with these options. */
export class SandboxConfigurationError extends Error {
  override readonly name = 'SandboxConfigurationError';
  /** Stable kind of failure. */
  readonly code = 'configuration';
}

/** Fills in the defaults. @throws SandboxConfigurationError naming the option that is wrong. */
export function toSettings(options: SandboxOptions): Settings {
  const settings: Settings = {
    profile: options.profile ?? 'strict',
    username: options.username ?? 'demo',
    password: options.password ?? 'demo-password',
    apiKey: options.apiKey ?? '0123456789'.repeat(4),
    productId: options.productId,
    baseUrl: options.baseUrl === undefined ? undefined : String(options.baseUrl).replace(/\/{1,9}$/, ''),
    amountUnit: options.amountUnit ?? 'minor',
    expiresInUnit: options.expiresInUnit ?? 'seconds',
    seed: options.seed ?? 'innkeep',
    now: options.now ?? (() => CLOCK_START),
    slowAnswerMs: options.slowAnswerMs ?? 3_000,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    callbackFetch: options.callbackFetch ?? ((request) => fetch(request)),
    providerDirect: 'SANDBOX_DIRECT',
    providerHosted: 'SANDBOX_HOSTED',
    hotelIDType: 'SANDBOX_PMS',
  };
  mustHold(settings.username !== '', 'username', 'must not be empty');
  mustHold(settings.password !== '', 'password', 'must not be empty');
  mustHold([...settings.apiKey].length === 40, 'apiKey', 'must have 40 characters');
  mustHold(
    settings.baseUrl === undefined || (/^https?:\/\/[^?#]+$/i.test(settings.baseUrl) && URL.canParse(settings.baseUrl)),
    'baseUrl',
    'must be an http or https URL without query',
  );
  mustHold(oneOf(settings.profile, 'strict', 'lenient'), 'profile', 'must be "strict" or "lenient"');
  mustHold(oneOf(settings.amountUnit, 'minor', 'major'), 'amountUnit', 'must be "minor" or "major"');
  mustHold(oneOf(settings.expiresInUnit, 'seconds', 'minutes'), 'expiresInUnit', 'must be "seconds" or "minutes"');
  mustHold(settings.slowAnswerMs >= 0, 'slowAnswerMs', 'must not be negative');
  for (const [name, limit] of Object.entries(settings.limits)) {
    mustHold(Number.isInteger(limit) && limit > 0, `limits.${name}`, 'must be a whole number above zero');
  }
  return settings;
}

// Callers without TypeScript and command lines can pass anything.
function oneOf(value: string, ...known: readonly string[]): boolean {
  return known.includes(value);
}

function mustHold(isTrue: boolean, option: string, reason: string): void {
  if (!isTrue) throw new SandboxConfigurationError(`The sandbox option "${option}" ${reason}.`);
}
