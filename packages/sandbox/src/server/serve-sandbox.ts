import type { SandboxOptions } from '../world/settings.ts';
import { AnswerLostError } from './deliver.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';

/** Where and what to serve. */
export interface ServeOptions {
  /** 0 picks a free one. */
  readonly port: number;
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** A sandbox that exists, or options for a new one. @default a new sandbox with default options */
  readonly sandbox?: Sandbox | SandboxOptions;
}

/** A sandbox that is being served. */
export interface ServedSandbox {
  /** Such as `http://127.0.0.1:8790`. */
  readonly url: string;
  readonly sandbox: Sandbox;
  /** Stops listening and ends open connections. */
  close(): Promise<void>;
}

/** Serves a sandbox over HTTP/1.1 on Node. A lost answer destroys its connection. */
export async function serveSandbox(options: ServeOptions): Promise<ServedSandbox> {
  // Loaded here, so that `createSandbox` from the same entry also runs without Node.
  const [{ getRequestListener }, { RESPONSE_ALREADY_SENT }, { createServer }] = await Promise.all([
    import('@hono/node-server'),
    import('@hono/node-server/utils/response'),
    import('node:http'),
  ]);
  const { port, host = '127.0.0.1', sandbox: given = {} } = options;
  const sandbox = 'control' in given ? given : createSandbox(given);
  const listener = getRequestListener(
    async (request, env) => {
      // The sandbox has its own time, so the server sends no date: the same calls give the same bytes.
      if ('outgoing' in env) env.outgoing.sendDate = false;
      try {
        return await sandbox.fetch(request);
      } catch (error) {
        const isGone = request.signal.aborted;
        if (!(error instanceof AnswerLostError) && !isGone) throw error;
        if ('incoming' in env) env.incoming.socket.destroy();
        return RESPONSE_ALREADY_SENT;
      }
    },
    // The surrounding process may use the global Request and Response for something else.
    { hostname: host, overrideGlobalObjects: false },
  );
  const server = createServer(listener);
  // Longer than clients keep a connection idle: closing one just as it is used again looks like a lost payment.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const boundPort = typeof address === 'object' && address !== null ? address.port : port;
  const shownHost = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${shownHost}:${boundPort}`,
    sandbox,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}
