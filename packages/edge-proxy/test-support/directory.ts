/** Hotels of the directory, as an operator makes and changes them. */
import { sha256Hex } from '../src/http/hash.ts';
import { type Json, merchant } from './client.ts';
import { AURORA, PLATFORM_KEYS } from './environment.ts';

/** How an operator calls: with which key, and with which conditions. */
interface OperatorCall {
  readonly method?: string;
  readonly body?: unknown;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A call of `/v1/properties`. */
export function operator(path: string, call: OperatorCall = {}): Promise<Response> {
  const { method = 'GET', key = PLATFORM_KEYS.all, headers = {}, body } = call;
  return merchant(`/v1/properties/${path}`, { method, body, key, headers: { ...headers } });
}

const SCOPES = ['checkout', 'events', 'charges', 'reversals'];

/** A configuration on the fake upstream whose keys are these. */
export async function hotelWith(keys: readonly string[], changes: Json = {}): Promise<Json> {
  const { gateway: _, ...fields } = AURORA;
  const hashes = await Promise.all(keys.map(sha256Hex));
  const merchantKeys = hashes.map((sha256, nth) => ({ id: `k${nth}`, sha256, scopes: SCOPES }));
  return { ...fields, merchantKeys, ...changes };
}

/** Adds a hotel. */
export async function addHotel(id: string, keys: readonly string[], changes: Json = {}): Promise<void> {
  const answer = await operator(id, { method: 'PUT', body: await hotelWith(keys, changes) });
  if (answer.status !== 201) throw new Error(`${id} was not added: ${answer.status} ${await answer.text()}`);
}
