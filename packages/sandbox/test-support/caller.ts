import { createSandbox, type Sandbox, type SandboxOptions } from '../src/index.ts';

/** A JSON answer with its status. A refused request lacks the fields, which then fails the test that reads them. */
export interface Answer<Body = Readonly<Record<string, unknown>>> {
  readonly status: number;
  readonly json: Body;
}

export interface InitAnswer {
  readonly viewUrl: string;
  readonly stateRetrivalUrl: string;
  readonly requestID: string;
  readonly dateTime: string;
  readonly returnCode: string | number;
  readonly serviceProvider: string;
}

/** Fields that every request of the payment API carries. */
export const HOTEL = {
  hotelID: '1',
  hotelIDType: 'SANDBOX_PMS',
  user: 'web',
  datetime: '2026-11-21T10:00:00',
} as const;

/** A card that is approved. */
export const GOOD_CARD = '4242424242424242';

/** Speaks the payment API by hand: no client library, so that the wire itself is what the tests see. */
export class Caller {
  readonly sandbox: Sandbox;
  readonly origin: string;
  readonly #fetch: (input: string, init: RequestInit) => Promise<Response>;
  bearer = '';

  constructor({ sandbox, origin }: { sandbox: Sandbox; origin?: string }) {
    this.sandbox = sandbox;
    this.origin = origin ?? 'https://sandbox.test';
    this.#fetch = origin === undefined ? sandbox.fetch : (input, init) => fetch(input, init);
  }

  static async loggedIn(options: SandboxOptions = {}): Promise<Caller> {
    const caller = new Caller({ sandbox: createSandbox(options) });
    await caller.login(options);
    return caller;
  }

  async login({ username = 'demo', password = 'demo-password' }: SandboxOptions = {}): Promise<Answer> {
    const answer = await this.json('/login', { username, password });
    const { access_token: accessToken } = answer.json;
    this.bearer = typeof accessToken === 'string' ? accessToken : '';
    return answer;
  }

  raw(path: string, init: RequestInit = {}): Promise<Response> {
    const url = path.startsWith('http') ? path : `${this.origin}${path}`;
    return this.#fetch(url, { redirect: 'manual', ...init });
  }

  /** Posts JSON, for an answer that is none. */
  post(path: string, body: unknown, init: RequestInit = {}): Promise<Response> {
    const authorization: Record<string, string> = this.bearer === '' ? {} : { Authorization: `Bearer ${this.bearer}` };
    const headers = { 'Content-Type': 'application/json', ...authorization };
    return this.raw(path, { method: 'POST', headers, body: JSON.stringify(body), ...init });
  }

  async json<Body = Answer['json']>(path: string, body: unknown): Promise<Answer<Body>> {
    return answerOf(await this.post(path, body));
  }

  async get<Body = Answer['json']>(path: string): Promise<Answer<Body>> {
    return answerOf(await this.raw(path, { headers: { Authorization: `Bearer ${this.bearer}` } }));
  }

  createToken(fields: Record<string, unknown> = {}): Promise<Answer> {
    const card = { cardNo: GOOD_CARD, valid: '2030-10-31', cvc: '123', cardText: 'Ann Guest' };
    return this.json('/V2/1234/createToken', { ...HOTEL, serviceProvider: 'SANDBOX_DIRECT', ...card, ...fields });
  }

  async token(cardNo: string = GOOD_CARD): Promise<string> {
    return String((await this.createToken({ cardNo })).json.tokenNo);
  }

  pay(fields: Record<string, unknown> = {}): Promise<Answer> {
    const money = { amount: '12000', currency: 'EUR', text: 'late check-out' };
    return this.json('/V2/1234/pay', { ...HOTEL, serviceProvider: 'SANDBOX_DIRECT', ...money, ...fields });
  }

  reversal(fields: Record<string, unknown> = {}): Promise<Answer> {
    const money = { amount: '12000', currency: 'EUR' };
    return this.json('/V2/1234/reversal', { ...HOTEL, serviceProvider: 'SANDBOX_DIRECT', ...money, ...fields });
  }

  initpay(fields: Record<string, unknown> = {}): Promise<Answer<InitAnswer>> {
    return this.json('/V2/1234/initpayNoIframe', { ...HOSTED_PAYMENT, ...fields });
  }

  initToken(fields: Record<string, unknown> = {}): Promise<Answer<InitAnswer>> {
    return this.json('/V2/1234/initCreateTokenNoIframe', { ...HOSTED_TOKENIZATION, ...fields });
  }

  paystatus(requestID: string): Promise<Answer> {
    return this.get(`/V2/1234/paystatus?requestid=${requestID}&serviceProvider=SANDBOX_HOSTED`);
  }

  transaction(requestID: string): Promise<Answer> {
    return this.get(`/V2/1234/transaction?requestid=${requestID}&serviceProvider=SANDBOX_HOSTED`);
  }

  submit(viewUrl: string, fields: Record<string, string> = {}): Promise<Response> {
    const entry = { action: 'pay', cardNumber: GOOD_CARD, expiry: '12/30', cvc: '123', cardholder: 'Ann Guest' };
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    return this.raw(viewUrl, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ ...entry, ...fields }).toString(),
    });
  }
}

/** The test says which shape it expects; a wrong one fails its assertions. */
async function answerOf<Body>(response: Response): Promise<Answer<Body>> {
  return { status: response.status, json: (await response.json()) as Body };
}

const HOSTED = {
  ...HOTEL,
  serviceProvider: 'SANDBOX_HOSTED',
  cardInfoRefID: 'ref-1',
  callbackSuccessUrl: 'https://hotel.test/success?x=1',
  callbackAbortUrl: 'https://hotel.test/abort',
};

export const HOSTED_PAYMENT = {
  ...HOSTED,
  amount: '12000',
  currency: 'EUR',
  resNo: 'RES-1',
  description: '2 nights',
  supportedFeatures: '',
} as const;

export const HOSTED_TOKENIZATION = { ...HOSTED, tokenType: 'eCommerce', theme: 'bright' } as const;
