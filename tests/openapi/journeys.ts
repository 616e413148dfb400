/** The same journey with each generated client, as text: it compiles only once the clients are there. */
export const JOURNEYS: Readonly<Record<string, string>> = {
  journey: `
import { env } from 'node:process';

export const endpoint = env['ENDPOINT'] ?? '';
export const secretKey = env['SECRET_KEY'] ?? '';
const reference = env['RUN'] ?? '';

interface Money { value: number; currency: 'EUR' }
interface Operation { id: string; status: string }

export interface Api {
  create(body: { kind: 'payment'; amount: Money; reference: string }): Promise<Operation>;
  read(id: string): Promise<Operation>;
  charge(body: { token: string; amount: Money; reference: string; reason: 'no_show' }, key: string): Promise<Operation>;
  reverse(body: { payment: string; amount: Money }, key: string): Promise<Operation & { amount: { value: number } }>;
  codeOf(id: string, what: 'list' | 'read'): Promise<string | undefined>;
  charges(reference: string): Promise<readonly Operation[]>;
  events(): Promise<readonly { type: string; about: string }[]>;
  gateway(xml: string): Promise<string>;
}

export async function journey(api: Api): Promise<void> {
  const amount = { value: 12_000, currency: 'EUR' } as const;
  const session = await api.create({ kind: 'payment', amount, reference });
  const read = await api.read(session.id);
  const body = { token: env['CARD'] ?? '', amount, reference, reason: 'no_show' } as const;
  const charge = await api.charge(body, reference);
  const again = await api.charge(body, reference);
  const reversal = await api.reverse({ payment: charge.id, amount: { value: 500, currency: 'EUR' } }, reference);
  const refused = [await api.codeOf('x', 'list'), await api.codeOf('ch_x', 'read')];
  let listed = false;
  let events: string[] = [];
  for (let tries = 0; tries < 100 && (!listed || events.length < 2); tries++) {
    listed = (await api.charges(reference)).some(({ id }) => id === charge.id);
    events = (await api.events()).flatMap(({ type, about }) => ([charge.id, reversal.id].includes(about) ? [type] : []));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const gateway = await api.gateway('<?xml version="1.0" encoding="ISO-8859-1"?><SIHOT-Document><OC>KA</OC><TN>1</TN><CDT>2026-06-01T12:00:00</CDT><status>0</status></SIHOT-Document>');
  console.log(
    JSON.stringify({
      session: session.status, read: read.status, charge: charge.status, again: again.id === charge.id,
      reversal: reversal.status, given: reversal.amount.value, refused, listed, events, gateway,
    }),
  );
}
`,
  'openapi-typescript-client': `
import createClient from 'openapi-fetch';
import { endpoint, journey, secretKey } from './journey';
import type { paths } from './openapi-typescript/schema';

const client = createClient<paths>({ baseUrl: endpoint, headers: { authorization: \`Bearer \${secretKey}\` } });
function given<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}
const keyed = (key: string) => ({ header: { 'Idempotency-Key': key } });

await journey({
  create: async (body) => given(await client.POST('/v1/checkout-sessions', { body })),
  read: async (id) => given(await client.GET('/v1/checkout-sessions/{id}', { params: { path: { id } } })),
  charge: async (body, key) => given(await client.POST('/v1/charges', { params: keyed(key), body })),
  reverse: async (body, key) => given(await client.POST('/v1/reversals', { params: keyed(key), body })),
  codeOf: async (id, what) =>
    what === 'list'
      ? (await client.GET('/v1/charges', { params: { query: { cursor: id } } })).error?.code
      : (await client.GET('/v1/charges/{id}', { params: { path: { id } } })).error?.code,
  charges: async (reference) => given(await client.GET('/v1/charges', { params: { query: { reference, limit: 5 } } })).data,
  events: async () =>
    given(await client.GET('/v1/events', { params: { query: { after: 0, limit: 100 } } })).data.map(({ type, data }) => ({
      type,
      about: data.object.id,
    })),
  gateway: async (body) =>
    given(
      await client.POST('/v1/gateway/{protocol}/{method}', {
        params: { path: { protocol: 'RMS', method: 'keepalivereq' } },
        headers: { 'content-type': 'text/xml' },
        body,
        bodySerializer: (xml) => xml,
        parseAs: 'text',
      }),
    ),
});
`,
  'hey-api-client': `
import { client } from './hey-api/client.gen';
import * as api from './hey-api';
import { endpoint, journey, secretKey } from './journey';

client.setConfig({ baseUrl: endpoint, auth: () => secretKey });
const throwOnError = true;
const headers = (key: string) => ({ 'Idempotency-Key': key });

await journey({
  create: async (body) => (await api.createCheckoutSession({ body, throwOnError })).data,
  read: async (id) => (await api.retrieveCheckoutSession({ path: { id }, throwOnError })).data,
  charge: async (body, key) => (await api.createCharge({ body, headers: headers(key), throwOnError })).data,
  reverse: async (body, key) => (await api.createReversal({ body, headers: headers(key), throwOnError })).data,
  codeOf: async (id, what) =>
    what === 'list'
      ? (await api.listCharges({ query: { cursor: id } })).error?.code
      : (await api.retrieveCharge({ path: { id } })).error?.code,
  charges: async (reference) => (await api.listCharges({ query: { reference, limit: 5 }, throwOnError })).data.data,
  events: async () =>
    (await api.listEvents({ query: { after: 0, limit: 100 }, throwOnError })).data.data.map(({ type, data }) => ({
      type,
      about: data.object.object === 'charge' ? data.object.id : data.object.id,
    })),
  gateway: async (xml) => {
    const path = { protocol: 'RMS', method: 'keepalivereq' };
    const body = new Blob([xml]);
    const { data } = await api.sendToGateway({ path, body, parseAs: 'blob', throwOnError });
    return data.text();
  },
});
`,
  'orval-client': `
import * as api from './orval/api';
import * as zod from './orval-zod/api';
import { endpoint, journey, secretKey } from './journey';

const own = fetch;
globalThis.fetch = (input, init) => own(String(input).replace('/base', endpoint), init);
const options = (key?: string) => ({
  headers: { authorization: \`Bearer \${secretKey}\`, ...(key === undefined ? {} : { 'Idempotency-Key': key }) },
});
const failed = (answer: { status: number; data: unknown }): never => {
  throw new Error(\`\${answer.status} \${JSON.stringify(answer.data)}\`);
};

await journey({
  async create(body) {
    const answer = await api.createCheckoutSession(zod.CreateCheckoutSessionBody.parse(body) as typeof body, options());
    return answer.status === 201 ? zod.CreateCheckoutSessionResponse.parse(answer.data) : failed(answer);
  },
  async read(id) {
    const answer = await api.retrieveCheckoutSession(id, options());
    return answer.status === 200 ? zod.RetrieveCheckoutSessionResponse.parse(answer.data) : failed(answer);
  },
  async charge(body, key) {
    const answer = await api.createCharge(body, options(key));
    return answer.status === 201 ? answer.data : failed(answer);
  },
  async reverse(body, key) {
    const answer = await api.createReversal(body, options(key));
    return answer.status === 201 ? answer.data : failed(answer);
  },
  async codeOf(id, what) {
    const answer = await (what === 'list' ? api.listCharges({ cursor: id }, options()) : api.retrieveCharge(id, options()));
    return answer.status === 200 ? undefined : answer.data.code;
  },
  async charges(reference) {
    const answer = await api.listCharges({ reference, limit: 5 }, options());
    return answer.status === 200 ? zod.ListChargesResponse.parse(answer.data).data : failed(answer);
  },
  async events() {
    const answer = await api.listEvents({ after: 0, limit: 100 }, options());
    if (answer.status !== 200) return failed(answer);
    return zod.ListEventsResponse.parse(answer.data).data.map(({ type, data }) => ({ type, about: data.object.id }));
  },
  async gateway(xml) {
    const answer = await api.sendToGateway('RMS', 'keepalivereq', new Blob([xml]), options());
    return answer.status === 200 ? answer.data.text() : failed(answer);
  },
});
`,
};
