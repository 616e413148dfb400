import { serveHttp } from '../support/serve-http.ts';

/** A webhook endpoint that accepts everything, and keeps the ids of the events as they came. */
export async function receive() {
  const eventIds: string[] = [];
  const { url, close } = await serveHttp((request, response) => {
    eventIds.push(String(request.headers['webhook-id']));
    request.resume();
    response.writeHead(204).end();
  });
  return { url: `${url}/hooks`, eventIds, close };
}
