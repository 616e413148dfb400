import type { Reply } from '../endpoints/reply.ts';

/**
 * The answer got lost on the way: the server breaks the connection, the in-process fetch rejects. Looks like what
 * Node's own fetch throws then.
 */
export class AnswerLostError extends TypeError {
  override readonly name = 'AnswerLostError';

  constructor() {
    const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
    super('fetch failed: the sandbox broke the connection, as the scenario wants', { cause });
  }
}

const MAINTENANCE = '<!doctype html><html lang="en"><title>Maintenance</title><h1>We will be right back</h1></html>';
const PENDING = JSON.stringify({ returnCode: '96', returnText: 'outcome pending' });
const REDIRECT_TARGET = 'https://elsewhere.invalid/';

/** What really goes over the wire: the reply, or what a scenario turns it into. */
export function spoil(reply: Reply): Reply {
  const { delivery } = reply;
  switch (delivery?.kind) {
    case 'status':
      // A hosted page brings its own words for the same status.
      if (reply.status === delivery.status) return reply;
      return { ...reply, status: delivery.status, contentType: 'text/plain; charset=utf-8', body: 'Internal error' };
    case 'garbage':
      return { ...reply, body: reply.body.slice(0, Math.floor(reply.body.length / 2)) };
    case 'html':
      return { ...reply, contentType: 'text/html; charset=utf-8', body: MAINTENANCE };
    case 'redirect':
      return { ...reply, status: delivery.status, body: '', location: REDIRECT_TARGET };
    case 'pending':
      return { ...reply, body: PENDING };
    default:
      return reply;
  }
}

export function toResponse({ status, contentType, body, location, headers }: Reply): Response {
  return new Response(body, {
    status,
    headers: {
      'Content-Type': contentType,
      'Cache-Control': 'no-store',
      ...headers,
      ...(location === undefined ? {} : { Location: location }),
    },
  });
}
