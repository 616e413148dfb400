import { randomInt } from 'node:crypto';
import getPort, { clearLockedPorts, portNumbers } from 'get-port';
import type { Closer } from './cleanup.ts';
import { LOOPBACK } from './listen.ts';

/** Below the ports that systems give to outgoing connections: none of these is taken by chance before its server listens. */
const OWN_PORTS = { first: 20_000, last: 31_999 };
const MAX_TRIES = 100;

/** A free port for a server on loopback: the requested one, else any. No other call of this process gets it. */
export function freePort(wanted?: number): Promise<number> {
  const any = Array.from({ length: MAX_TRIES }, () => randomInt(OWN_PORTS.first, OWN_PORTS.last + 1));
  return getPort({ host: LOOPBACK, port: [...(wanted === undefined ? [] : [wanted]), ...any] });
}

/** Releases the ports of this process: another start in it may have the same ports. */
export const GIVEN_PORTS: Closer = { close: async () => clearLockedPorts() };

/** The first port from this one on that is free on every address of the machine. */
export function freePortFrom(first: number): Promise<number> {
  return getPort({ port: portNumbers(first, first + MAX_TRIES) });
}

/** Whether nobody listens there, on any address of the machine. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await getPort({ port })) === port;
}
