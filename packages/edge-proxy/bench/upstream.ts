/** A payment service that costs next to nothing: it answers what it is told. Runs in the bench's own process. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type BenchUpstream = Awaited<ReturnType<typeof startUpstream>>;

type Serve = (request: IncomingMessage, answer: ServerResponse) => void;

/** Starts it on a free port. */
export async function startUpstream() {
  const amounts = new Map<string, { amount: number; cardInfoRefID: string }>();
  const begun = new Map<string, { readonly startedAt: number; readonly isScheduled: boolean }>();
  let isWatching = false;
  let requests = 0;
  const serve: Serve = (request, answer) => {
    const url = new URL(request.url ?? '/', 'http://upstream');
    const [customer, operation = ''] = url.pathname.split('/').slice(-2);
    const send = (body: object): void => {
      answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const requestID = url.searchParams.get('requestid') ?? '';
    if (operation === 'login') {
      request.resume();
      return send({ username: 'u', roles: ['USER'], access_token: 'token', token_type: 'Bearer', expires_in: 4800 });
    }
    if (operation === 'paystatus') {
      upstream.polls += 1;
      const { startedAt, isScheduled = false } = begun.get(requestID) ?? {};
      if (isWatching && isScheduled && startedAt !== undefined)
        upstream.delays.push(lateness(performance.now() - startedAt));
      return send(upstream.state === 0 ? { state: 0 } : { state: 1, result: 'PAYOBJID=1' });
    }
    if (operation === 'transaction') {
      const asked = amounts.get(requestID);
      return send({
        ...asked,
        currency: 'EUR',
        maskedCardNo: '424242......4242',
        operation: 'initpayNoIframe',
        paymentObjID: 'PAYOBJID=1',
        requestID,
        returnCode: '0',
        status: '_done',
        transactionID: 'TX',
        surchargeApplied: false,
      });
    }
    if (operation === 'pay') {
      request.resume();
      const card = { cardType: '1', cardTypeCode: 'VI', cardNo: '424242......4242', serviceProvider: 'HOSTED' };
      return send({ ...card, transactionID: `P-${++requests}`, returnCode: '0' });
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { amount, cardInfoRefID } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, string>;
      const id = `R-${++requests}`;
      begun.set(id, { startedAt: performance.now(), isScheduled: Number(amount) !== upstream.unscheduledAmount });
      amounts.set(id, { amount: Number(amount), cardInfoRefID: String(cardInfoRefID) });
      send({
        viewUrl: `${upstream.url}/payment?PD=${id}`,
        requestID: id,
        dateTime: '2026-06-01T12:00:00',
        stateRetrivalUrl: `${upstream.url}/${customer}/paystatus?requestid=${id}&serviceProvider=HOSTED`,
        returnCode: '0',
        serviceProvider: 'HOSTED',
      });
    });
  };
  const server = createServer((request, answer) => upstream.answer(request, answer, serve));
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const upstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    polls: 0,
    /** Payments of this amount are polled when a page asks. */
    unscheduledAmount: 0,
    /** By how many milliseconds polls came later than the schedule says. */
    delays: [] as number[],
    /** What paystatus says. */
    state: 1 as 0 | 1,
    /** How a request is answered; replaced, the service can fail. */
    answer: (request: IncomingMessage, answer: ServerResponse, serve: Serve): void => serve(request, answer),
    watchDelays() {
      isWatching = true;
      upstream.delays.length = 0;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return upstream;
}

/** How long ago the schedule had a poll of a payment of this age whose guest has gone away, in milliseconds. */
function lateness(age: number): number {
  let scheduled = 0;
  let next = 30_000;
  while (next <= age) {
    scheduled = next;
    next += Math.min(Math.max(next / 2, 30_000), 300_000);
  }
  return age - scheduled;
}
