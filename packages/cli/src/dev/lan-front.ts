/**
 * How a telephone reaches what serves this machine alone. Proxy and payment service stay on loopback and know nothing of it; here
 * their addresses become those of the machine in its network, as the caller wrote it, in whatever they answer.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { networkInterfaces } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { isAddressLiteral, isLocalNetworkHost, isLoopbackHost } from '@innkeep/core/values';
import { usageError } from '../failures/cli-error.ts';
import type { Closer } from './cleanup.ts';
import { forwardedHeaders } from './forward.ts';
import { LOOPBACK, listen } from './listen.ts';

/** A server on loopback, and the port by which the network reaches it. */
export interface FrontedServer {
  readonly port: number;
  readonly frontPort: number;
}

/** The machine’s address in its network. @throws `usage` when it has none, or not the one that was named */
export function lanAddress(named: string | true): string {
  if (named !== true) {
    if (isAddressLiteral(named) && isLocalNetworkHost(named)) return named;
    throw usageError(
      `--host ${named} is no address of a local network.`,
      'Write --host alone, or one such as 192.168.1.20.',
    );
  }
  const addresses = Object.values(networkInterfaces())
    .flatMap((list = []) => list)
    .flatMap(({ address, family, internal }) => (family === 'IPv4' && !internal ? [address] : []))
    .filter((address) => isLocalNetworkHost(address) && !address.startsWith('169.254.'));
  // Bridges of containers mostly have 172.…
  const [best] = addresses.sort((left, right) => Number(left.startsWith('172.')) - Number(right.startsWith('172.')));
  if (best !== undefined) return best;
  throw usageError('This machine has no address in a local network.', 'Connect it, or leave out --host.');
}

/** Serves every one of them to the network, each with the addresses of all rewritten. */
export async function serveFronts(host: string, servers: readonly FrontedServer[]): Promise<Closer> {
  const running = await Promise.all(servers.map((each) => serveFront(each, { host, servers })));
  return {
    async close() {
      await Promise.all(running.map((front) => front.close()));
    },
  };
}

function serveFront(
  { port, frontPort }: FrontedServer,
  { host, servers }: { readonly host: string; readonly servers: readonly FrontedServer[] },
): Promise<Closer> {
  const server = createServer(async (request, response) => {
    const called = hostnameOf(request.headers.host);
    // A name that somebody made point here is not answered: pages elsewhere must not reach in through a browser.
    if (called === undefined) return void response.writeHead(403).end();
    try {
      await pass(request, response, { port, rewrite: rewriterFor(called, servers) });
    } catch {
      // Lost behind us, as the payment service sometimes has it: lost in front of us.
      response.destroy();
    }
  });
  return listen(server, { port: frontPort, host });
}

async function pass(
  request: IncomingMessage,
  response: ServerResponse,
  { port, rewrite }: { readonly port: number; readonly rewrite: (text: string) => string },
): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const body = method === 'GET' || method === 'HEAD' ? undefined : await buffer(request);
  const answer = await fetch(`http://${LOOPBACK}:${port}${url}`, {
    method,
    headers: { ...forwardedHeaders(request.headers), 'accept-encoding': 'identity' },
    ...(body === undefined ? {} : { body }),
    redirect: 'manual',
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const isText = /^(text\/|application\/([\w.+-]*json|javascript))/.test(answer.headers.get('content-type') ?? '');
  const headers = Object.fromEntries([...answer.headers].map(([name, value]) => [name, rewrite(value)]));
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding', 'connection', 'keep-alive'])
    delete headers[name];
  response.writeHead(answer.status, headers).end(isText ? rewrite(bytes.toString()) : bytes);
}

function rewriterFor(hostname: string, servers: readonly FrontedServer[]): (text: string) => string {
  const pairs = servers.flatMap(({ port, frontPort }) => {
    const [from, to] = [`http://${LOOPBACK}:${port}`, `http://${hostname}:${frontPort}`];
    return [[from, to] as const, [encodeURIComponent(from), encodeURIComponent(to)] as const];
  });
  return (text) => pairs.reduce((result, [from, to]) => result.replaceAll(from, to), text);
}

function hostnameOf(header: string | undefined): string | undefined {
  if (header === undefined || !URL.canParse(`http://${header}`)) return undefined;
  const { hostname } = new URL(`http://${header}`);
  const isOwn = isLoopbackHost(hostname) || (isAddressLiteral(hostname) && isLocalNetworkHost(hostname));
  return isOwn ? hostname : undefined;
}
