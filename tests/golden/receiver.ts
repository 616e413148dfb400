/** A webhook endpoint that accepts everything. */
import { type HttpServer, serveHttp } from '../support/serve-http.ts';

/** An endpoint that listens. */
export interface Receiver extends HttpServer {
  /** Ids of the events, as they came. */
  readonly eventIds: readonly string[];
}

/** Listens on a free port. */
export async function receive(): Promise<Receiver> {
  const eventIds: string[] = [];
  const { url, close } = await serveHttp((request, response) => {
    eventIds.push(String(request.headers['webhook-id']));
    request.resume();
    response.writeHead(204).end();
  });
  return { url: `${url}/hooks`, eventIds, close };
}
