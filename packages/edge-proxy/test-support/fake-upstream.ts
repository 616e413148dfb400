/**
 * A programmable payment service and webhook receiver behind `globalThis.fetch`. Written from the specification, not
 * from core: tests of the proxy must not inherit core's reading of it.
 */
import { vi } from 'vitest';

/** How a hosted request stands. */
export interface HostedState {
  state: 0 | 1 | 2;
  result?: string;
  record?: Record<string, unknown>;
}

/** One request the fake has seen. */
export interface SeenRequest {
  readonly operation: string;
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
  readonly at: number;
}

type Answer = Response | undefined | Promise<Response | undefined>;

/** The fake. Install it in `beforeEach`, take it away in `afterEach`. */
export class FakeUpstream {
  readonly requests: SeenRequest[] = [];
  readonly hosted = new Map<string, HostedState & { init: Record<string, string> }>();
  /** Answers to webhooks. */
  webhookStatus: number | (() => Response | Promise<Response>) = 204;
  /** Set to answer an operation by hand; undefined falls through to the ordinary answer. */
  overrides: Partial<Record<string, (request: SeenRequest) => Answer>> = {};
  /** Pages are opened, but nobody hears of them. */
  loseInitAnswers = false;
  loginLifetime: number | string = 4800;
  #logins = 0;
  #requestIDs = 0;

  install(): this {
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => this.#serve(new Request(input, init)));
    return this;
  }

  count(operation: string): number {
    return this.requests.filter((request) => request.operation === operation).length;
  }

  last(operation: string): SeenRequest {
    const found = this.requests.findLast((request) => request.operation === operation);
    if (found === undefined) throw new Error(`no ${operation} was called`);
    return found;
  }

  /** A session's newest hosted request, or that of one attempt: attempts send `cs_…-1`, `cs_…-2` as `cardInfoRefID`. */
  of(name: string): HostedState & { init: Record<string, string>; requestID: string } {
    const isNamed = (refID = ''): boolean => refID === name || refID.replace(/-\d+$/, '') === name;
    const [requestID, hosted] = [...this.hosted].findLast(([, { init }]) => isNamed(init.cardInfoRefID)) ?? [];
    if (requestID === undefined || hosted === undefined) throw new Error(`no hosted request of ${name}`);
    return Object.assign(hosted, { requestID });
  }

  /** Where the hosted page sends the guest back to. */
  returnPath(name: string, through: 'success' | 'abort'): string {
    const { callbackSuccessUrl = '', callbackAbortUrl = '' } = this.of(name).init;
    return new URL(through === 'success' ? callbackSuccessUrl : callbackAbortUrl).pathname;
  }

  /** Finishes a session's hosted request well; fields of the record can be overridden to lie. */
  pay(name: string, record: Record<string, unknown> = {}): void {
    this.payRequest(this.of(name).requestID, record);
  }

  /** The same, by the upstream's own id. */
  payRequest(requestID: string, record: Record<string, unknown> = {}): void {
    const hosted = this.#request(requestID);
    const isPayment = 'amount' in hosted.init;
    hosted.state = 1;
    hosted.result = isPayment ? 'PAYOBJID=4711' : 'TOKENOBJID=815';
    hosted.record = {
      amount: isPayment ? Number(hosted.init.amount) : 0,
      cardInfoRefID: hosted.init.cardInfoRefID,
      maskedCardNo: '424242......4242',
      requestID,
      returnCode: '0',
      serviceProvider: hosted.init.serviceProvider,
      status: '_done',
      transactionID: 'TX-1',
      ...(isPayment
        ? {
            creationtime: '2026-06-01T12:00:00',
            currency: hosted.init.currency,
            customer: '1234',
            description: hosted.init.description,
            operation: 'initpayNoIframe',
            paymentObjID: 'PAYOBJID=4711',
            surchargeApplied: false,
          }
        : { operation: 'initCreateTokenNoIframe', token: 'TOKEN-SECRET-9876', tokenValidUntil: '2029-12-31' }),
      ...record,
    };
  }

  /** Finishes a session's hosted request badly. */
  fail(name: string, text?: string): void {
    this.failRequest(this.of(name).requestID, text);
  }

  /** The same, by the upstream's own id. */
  failRequest(requestID: string, text = 'Aborted by user'): void {
    const hosted = this.#request(requestID);
    hosted.state = 2;
    hosted.result = `ERROR=${encodeURIComponent(text)}`;
  }

  /**
   * Lets one operation hang until released, and answers then; without an answer in the ordinary way. Waiting happens where the call was
   * made: promises do not cross objects.
   */
  hold(operation: string, answer: () => Response | undefined = () => undefined): { release(): void } {
    let isReleased = false;
    this.overrides[operation] = async () => {
      while (!isReleased) await scheduler.wait(5);
      return answer();
    };
    return {
      release: () => {
        isReleased = true;
        delete this.overrides[operation];
      },
    };
  }

  #request(requestID: string): HostedState & { init: Record<string, string> } {
    const hosted = this.hosted.get(requestID);
    if (hosted === undefined) throw new Error(`no hosted request ${requestID}`);
    return hosted;
  }

  async #serve(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const operation = url.hostname.startsWith('hooks.') ? 'webhook' : (url.pathname.split('/').at(-1) ?? '');
    const seen: SeenRequest = {
      operation,
      method: request.method,
      url,
      headers: request.headers,
      body: await request.text(),
      at: Date.now(),
    };
    this.requests.push(seen);
    if (request.redirect !== 'manual') throw new Error(`${operation} would follow a redirect`);
    const answer = await this.overrides[operation]?.(seen);
    if (answer !== undefined) return answer;
    if (operation === 'webhook') {
      const status = this.webhookStatus;
      return typeof status === 'function' ? status() : new Response(null, { status });
    }
    if (operation === 'login') return this.#login(seen);
    if (!/^Bearer token-\d+$/.test(seen.headers.get('authorization') ?? '')) return new Response(null, { status: 401 });
    if (operation === 'initpayNoIframe' || operation === 'initCreateTokenNoIframe') {
      const answer = this.#init(seen);
      if (this.loseInitAnswers) throw new TypeError('Network connection lost.');
      return answer;
    }
    const hosted = this.hosted.get(url.searchParams.get('requestid') ?? '');
    if (hosted === undefined) return new Response('unknown request', { status: 404 });
    if (operation === 'paystatus')
      return Response.json({ state: hosted.state, ...(hosted.state === 0 ? {} : { result: hosted.result }) });
    return Response.json(
      hosted.record ?? { returnCode: '0', requestID: url.searchParams.get('requestid'), status: '_open' },
    );
  }

  #login(seen: SeenRequest): Response {
    const { username } = JSON.parse(seen.body) as { username: string };
    this.#logins += 1;
    return Response.json({
      username,
      roles: ['USER'],
      access_token: `token-${this.#logins}`,
      token_type: 'Bearer',
      expires_in: this.loginLifetime,
    });
  }

  #init(seen: SeenRequest): Response {
    const init = JSON.parse(seen.body) as Record<string, string>;
    this.#requestIDs += 1;
    const requestID = `R-${this.#requestIDs}-${init.cardInfoRefID}`;
    this.hosted.set(requestID, { state: 0, init });
    const page = seen.operation === 'initpayNoIframe' ? 'payment' : 'create';
    const base = seen.url.href.split('/V2/')[0];
    return Response.json({
      viewUrl: `https://view.test/${page}?PD=${btoa(requestID)}`,
      requestID,
      dateTime: '2026-06-01T12:00:00',
      stateRetrivalUrl: `${base}/1234/paystatus?requestid=${requestID}&serviceProvider=${init.serviceProvider}`,
      returnCode: '0',
      serviceProvider: init.serviceProvider,
    });
  }
}
