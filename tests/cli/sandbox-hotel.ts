import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunningProxy, type ServeOptions, serveProxy } from '@innkeep/edge-proxy/serve';
import { freePort } from '../../scripts/launch.ts';

/** The sandbox's login, as `hotel add` reads it. */
export const LOGIN = { INNKEEP_UPSTREAM_USERNAME: 'demo', INNKEEP_UPSTREAM_PASSWORD: 'demo-password' } as const;

/** The sandbox's gateway key. */
export const API_KEY = '0123456789012345678901234567890123456789';

/** Writes programs for the PATH of a shell, by their names. */
export async function writePrograms(folder: string, programs: Readonly<Record<string, string>>, head = '#!/bin/sh') {
  for (const [name, text] of Object.entries(programs)) {
    await writeFile(join(folder, name), `${head}\n${text}\n`);
    await chmod(join(folder, name), 0o755);
  }
}

/** Serves what `innkeep` has written into a folder, with its data there. */
export const serveFolder = async (folder: string, options: Partial<ServeOptions> = {}): Promise<RunningProxy> =>
  serveProxy({
    ...{ port: await freePort(), envFile: join(folder, '.dev.vars'), dataDir: join(folder, 'data') },
    ...options,
  });

/** Shell for waiting until a process has ended: also one that nobody has collected yet, which may take a container seconds. */
export const untilEnded = (pid: string): string => `while ps -o stat= -p ${pid} | grep -q '^[^Z]'; do sleep 0.05; done`;
