import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Sits between proxy and sandbox and remembers every access token that passed, so that a test can look for them elsewhere. */
export interface UpstreamRecorder {
  readonly url: string;
  readonly accessTokens: readonly string[];
  close(): void;
}

/** Forwards everything, `Host` included, so that the sandbox hands out addresses of the recorder. */
export async function startUpstreamRecorder(sandboxPort: number): Promise<UpstreamRecorder> {
  const accessTokens: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const forwarded = request(
      { host: '127.0.0.1', port: sandboxPort, method: incoming.method, path: incoming.url, headers: incoming.headers },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const body = Buffer.concat(chunks);
          const token = /"access_token"\s*:\s*"([^"]+)"/.exec(body.toString('utf8'))?.[1];
          if (token !== undefined) accessTokens.push(token);
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(body);
        });
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accessTokens,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
