import { randomInt } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Closer } from './cleanup.ts';
import { isAlive } from './processes.ts';

/** A port that other starts of `innkeep dev` pass over, although nobody listens there yet. */
export interface ClaimedPort extends Closer {
  readonly port: number;
}

const LOOPBACK = '127.0.0.1';
const MAX_TRIES = 100;
/** Below those that systems give to whoever connects: none of these is taken by chance between the claim and the start. */
const OWN_PORTS = { first: 20_000, last: 31_999 };

/** Claims a free port for a server on one address: the wanted one, else any. */
export async function claimPort(wanted?: number, host: string = LOOPBACK): Promise<ClaimedPort> {
  const any = Array.from({ length: MAX_TRIES }, () => randomInt(OWN_PORTS.first, OWN_PORTS.last + 1));
  return claimFirst([...(wanted === undefined ? [] : [wanted]), ...any], (port) => isFree(port, host));
}

/** Claims the first free port from this one on: a site takes a while until it listens. */
export async function claimPortFrom(first: number): Promise<ClaimedPort> {
  return claimFirst(
    Array.from({ length: MAX_TRIES }, (_, offset) => first + offset),
    isPortFree,
  );
}

async function claimFirst(
  ports: readonly number[],
  isFreePort: (port: number) => Promise<boolean>,
): Promise<ClaimedPort> {
  for (const port of ports) {
    const file = join(tmpdir(), `innkeep-dev-port-${port}`);
    if (!claim(file)) continue;
    const close = async (): Promise<void> => rmSync(file, { force: true });
    if (await isFreePort(port)) return { port, close };
    await close();
  }
  return { port: await listenOn(0, LOOPBACK), close: async () => undefined };
}

/** Writes the claim down, unless a process that runs has done so. */
function claim(file: string): boolean {
  for (const isLast of [false, true]) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return true;
    } catch {
      if (isLast || isHeld(file)) return false;
    }
  }
  return false;
}

function isHeld(file: string): boolean {
  try {
    if (isAlive(Number(readFileSync(file, 'utf8')))) return true;
    rmSync(file);
    return false;
  } catch {
    // Somebody else’s file, or one that went away meanwhile: the next port does as well.
    return true;
  }
}

/** Whether nobody listens there, be it on loopback of either kind or on every address. */
export async function isPortFree(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', '::1', '0.0.0.0']) if (!(await isFree(port, host))) return false;
  return true;
}

async function isFree(port: number, host: string): Promise<boolean> {
  return listenOn(port, host).then(
    () => true,
    // A machine without IPv6 has nobody there, either.
    (error: NodeJS.ErrnoException) => error.code !== 'EADDRINUSE' && error.code !== 'EACCES',
  );
}

function listenOn(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen({ port, host, exclusive: true }, () => {
      const address = probe.address();
      probe.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject()));
    });
  });
}
