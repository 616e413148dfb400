import { createServer } from 'node:net';

/** A port that nobody listens on right now: the wanted one, else any. */
export async function freePort(wanted?: number, host = '127.0.0.1'): Promise<number> {
  if (wanted !== undefined && (await isFree(wanted, host))) return wanted;
  return listenOn(0, host);
}

/** The first free port from this one on. */
export async function freePortFrom(first: number): Promise<number> {
  for (let port = first; port < Math.min(first + 100, 65_536); port++) if (await isPortFree(port)) return port;
  return listenOn(0, '127.0.0.1');
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
