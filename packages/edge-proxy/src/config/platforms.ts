/** The operators of many hotels, parsed once per isolate from the `PLATFORM_<ID>` secrets of a deployment. */
import { type PlatformFields, type PlatformKey, PlatformSchema } from '@innkeep/core/contract';
import * as v from 'valibot';

export interface Platform extends PlatformFields {
  readonly id: string;
}

/** Whose `pk_…` key it is. */
export interface PlatformHolder {
  readonly platform: Platform;
  readonly key: PlatformKey;
}

export interface Platforms {
  readonly all: readonly Platform[];
  /** What is wrong with secrets that cannot be used, in lines that name the variable and the field. */
  readonly complaints: readonly string[];
  /** Who holds the key of this hash. */
  findByHash(sha256: string): PlatformHolder | undefined;
}

const VARIABLE = /^PLATFORM_([A-Z0-9_]{1,40})$/;

/** Reads every `PLATFORM_<ID>` of an environment. Never throws: what cannot be used is left out and complained about. */
export function parsePlatforms(environment: Readonly<Record<string, unknown>>): Platforms {
  const all: Platform[] = [];
  const complaints: string[] = [];
  const holders = new Map<string, PlatformHolder>();
  for (const name of Object.keys(environment).sort()) {
    const id = VARIABLE.exec(name)?.[1]?.toLowerCase();
    if (id === undefined) continue;
    const parsed = parsePlatform(environment[name]);
    if (typeof parsed === 'string') {
      complaints.push(`${name}: ${parsed}`);
      continue;
    }
    const platform = { id, ...parsed };
    all.push(platform);
    for (const key of platform.keys) {
      if (holders.has(key.sha256)) complaints.push(`${name}: key "${key.id}" is also a key of another platform`);
      else holders.set(key.sha256, { platform, key });
    }
  }
  return { all, complaints, findByHash: (sha256) => holders.get(sha256) };
}

/** The fields, or what is wrong with them. Never quotes a value. */
function parsePlatform(text: unknown): PlatformFields | string {
  let json: unknown;
  try {
    json = JSON.parse(String(text));
  } catch {
    return 'must be JSON';
  }
  const parsed = v.safeParse(PlatformSchema, json, { abortPipeEarly: true });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const isOurs = !issue.message.startsWith('Invalid ');
  return `field "${v.getDotPath(issue) ?? ''}" ${isOurs ? issue.message : `must be ${issue.expected ?? 'valid'}`}`;
}
