/** What the objects of the directory's hotels have stored, read as STORAGE.md describes it. */
import { createDecipheriv, hkdfSync } from 'node:crypto';
import { DIRECTORY_HOTELS, type HotelName, type Json, type World } from './world.ts';

/** A version as it is stored. */
export interface Version {
  readonly version: number;
  /** When it was written; it holds until the next one was. */
  readonly at: number;
  readonly action: string;
  readonly isRemoved: boolean;
  readonly configuration: Json | undefined;
  readonly isSealedByNewest: boolean;
}

type Stored = Pick<Version, 'version' | 'at' | 'action'> & { readonly sealed: string };

const ALL_VERSIONS =
  "SELECT json_group_array(json_object('version', version, 'at', at, 'action', action, 'sealed', sealed)) AS versions FROM version";

/** The versions of each hotel of the directory, the oldest first. */
export type Books = ReadonlyMap<HotelName, readonly Version[]>;

export function openBooks(world: World): Books {
  const [newest = '', ...older] = world.everySealingKey;
  return new Map(
    DIRECTORY_HOTELS.map((hotel) => {
      const stored = world.runtime.object('PROPERTIES', hotel).peek(ALL_VERSIONS)?.versions;
      const versions = (JSON.parse(String(stored ?? '[]')) as Stored[]).map(({ version, at, action, sealed }) => {
        const texts = [newest, ...older].map((key) => unseal(sealed, `property:${hotel}`, key));
        const text = texts.find((each) => each !== undefined);
        return {
          version,
          at,
          action,
          isRemoved: action === 'removed',
          configuration: text === undefined ? undefined : (JSON.parse(text) as Json),
          isSealedByNewest: texts[0] !== undefined,
        };
      });
      return [hotel, versions.sort((one, other) => one.version - other.version)];
    }),
  );
}

/** Whether older keys to seal with are needed yet, in hotels that were sealed anew. */
export function checkSeals(world: World, books: Books): void {
  for (const [hotel, versions] of books) {
    const old = versions.filter(({ isSealedByNewest }) => !isSealedByNewest).map(({ version }) => version);
    if (old.length > 0) world.breaks('sealed-anew', `${hotel} keeps ${old.join()} under an older key`);
  }
}

/** As STORAGE.md describes it: read once more, so that a mistake of the proxy's cannot hide itself. */
function unseal(sealed: string, place: string, key: string): string | undefined {
  const [, iv = '', data = ''] = sealed.split('.');
  const derived = hkdfSync('sha256', key, 'innkeep/edge-proxy', 'seal/v1', 32);
  const bytes = Buffer.from(data, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(derived), Buffer.from(iv, 'base64url'));
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-16));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString();
  } catch {
    return undefined;
  }
}
