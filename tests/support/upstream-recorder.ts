import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { serveHttp } from './serve-http.ts';

export type UpstreamRecorder = Awaited<ReturnType<typeof startUpstreamRecorder>>;

/**
 * Sits between proxy and sandbox and remembers every access token that passed, so that a test can look for them elsewhere. Forwards
 * everything, `Host` included, so that the sandbox hands out addresses of the recorder.
 */
export async function startUpstreamRecorder(sandboxPort: number) {
  const accessTokens: string[] = [];
  const server = await serveHttp((incoming, outgoing) => {
    const forwarded = request(
      { host: '127.0.0.1', port: sandboxPort, method: incoming.method, path: incoming.url, headers: incoming.headers },
      async (answer) => {
        const body = await buffer(answer);
        const token = /"access_token"\s*:\s*"([^"]+)"/.exec(body.toString('utf8'))?.[1];
        if (token !== undefined) accessTokens.push(token);
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(body);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  return { ...server, accessTokens };
}
