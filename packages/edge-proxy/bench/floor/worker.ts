/**
 * The floor: the least that a correct proxy must do for a status read, a creation and a start. The same HTTP calls, objects,
 * tables, commits, alarms and requests as the product's, and the cryptography that its secrets need: an id with a tag, hashes
 * of the merchant key, the client secret and the return nonce. No checks, no views, no time limits, no logs.
 */
import { DurableObject } from 'cloudflare:workers';
import { Hono } from 'hono';
import { toBase64Url, toCrockford } from '../../src/http/encoding.ts';
import { sha256Hex } from '../../src/http/hash.ts';
import { hasLedger, makeLedger } from '../../src/ledger/ledger-tables.ts';

interface FloorEnv {
  readonly FloorSession: DurableObjectNamespace<FloorSession>;
  readonly FloorLedger: DurableObjectNamespace<FloorLedger>;
  readonly UPSTREAM: string;
  readonly KEY_SHA256: string;
}

type FloorRecord = Readonly<Record<string, unknown>>;

/** What makes a stored record as large as the product's, and the ledger's copy. */
const STORED = 'x'.repeat(480);
const LISTED = 'x'.repeat(350);
/** Where a payment can be found: by reference and amount from the start, by its state and card once it is paid. */
const LISTS: Readonly<Record<number, readonly string[]>> = { 1: ['r:', 'a:'], 3: ['succeeded:', 'c:'] };
/** What makes an answer to a guest as large as the product's. */
const SHOWN = 'x'.repeat(200);
const READER_POLL_INTERVAL_MS = 2_500;
const SHORTEST_POLL_MS = 30_000;
const encoder = new TextEncoder();

/** Does what a checkout session object does to its storage: one row, one alarm. */
export class FloorSession extends DurableObject<FloorEnv> {
  #record: FloorRecord | undefined;
  #polledAt = 0;

  create(id: string, secretHash: string, body: FloorRecord): FloorRecord {
    const { sql } = this.ctx.storage;
    sql.exec('CREATE TABLE object (k INTEGER PRIMARY KEY CHECK (k = 1), body TEXT NOT NULL)');
    this.#save({ id, status: 'open', secretHash, expiresAt: Date.now() + 3_600_000, ...body, rest: STORED }, 1);
    return this.#load();
  }

  async read(secretHash: string): Promise<FloorRecord> {
    this.#check(secretHash);
    const isPending = this.#load().status === 'pending';
    if (isPending && Date.now() >= this.#polledAt + READER_POLL_INTERVAL_MS) await this.#poll();
    return this.#shown();
  }

  async start(secretHash: string): Promise<FloorRecord> {
    this.#check(secretHash);
    const nonce = newSecret();
    const asked = { cardInfoRefID: this.#load().id, url: `http://127.0.0.1/return/${nonce}`, rest: SHOWN };
    const nonceHash = await sha256Hex(nonce);
    const hosted = await this.#call('initpayNoIframe', JSON.stringify(asked));
    this.#save({ ...this.#load(), hosted, nonceHash, status: 'pending', startedAt: Date.now() }, 2);
    return this.#shown();
  }

  override async alarm(): Promise<void> {
    if (this.#load().status === 'pending') await this.#poll();
    this.#arm();
  }

  async #tell(seq: number): Promise<void> {
    await this.env.FloorLedger.getByName('floor').append([{ seq, body: toEntry(this.#load()) }]);
    this.#arm();
  }

  async #poll(): Promise<void> {
    const record = this.#load();
    this.#polledAt = Date.now();
    const { requestID } = record.hosted as Record<string, string>;
    const query = `?requestid=${requestID}&serviceProvider=x`;
    const { state } = await this.#call(`paystatus${query}`);
    if (Number(state) === 0) return;
    const found = await this.#call(`transaction${query}`);
    this.#save({ ...record, found, status: 'succeeded', completedAt: new Date().toISOString() }, 3);
  }

  #check(secretHash: string): void {
    if (this.#load().secretHash !== secretHash) throw new Error();
  }

  #shown(): FloorRecord {
    return { ...this.#load(), hosted: undefined, found: undefined, secretHash: undefined, rest: SHOWN };
  }

  #load(): FloorRecord {
    const { sql } = this.ctx.storage;
    this.#record ??= JSON.parse(sql.exec<{ body: string }>('SELECT body FROM object').one().body) as FloorRecord;
    return this.#record;
  }

  /** With what has to be sent to the ledger, which is sent again in half a minute unless it was taken. */
  #save(record: FloorRecord, seq: number): void {
    this.#record = record;
    const text = JSON.stringify({ ...record, unsent: [seq] });
    this.ctx.storage.sql.exec('INSERT OR REPLACE INTO object VALUES (1, ?)', text);
    void this.ctx.storage.setAlarm(Date.now() + SHORTEST_POLL_MS);
    this.ctx.waitUntil(this.#tell(seq));
  }

  #arm(): void {
    const { status, startedAt, expiresAt } = this.#load();
    const age = Date.now() - Number(startedAt);
    const next = status === 'pending' ? Date.now() + Math.max(SHORTEST_POLL_MS, age / 2) : Number(expiresAt);
    void this.ctx.storage.setAlarm(next);
  }

  async #call(path: string, body?: string): Promise<Record<string, string>> {
    const answer = await fetch(`${this.env.UPSTREAM}/V2/1234/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
    });
    return answer.json();
  }
}

/** Does what a ledger does to its storage, in the product's own tables: each index is a row more to write. */
export class FloorLedger extends DurableObject<FloorEnv> {
  #isReady = false;

  append(rows: readonly { seq: number; body: string }[]): void {
    const { sql } = this.ctx.storage;
    this.#isReady ||= hasLedger(sql);
    if (!this.#isReady) makeLedger(sql, 'floor');
    this.ctx.storage.transactionSync(() => {
      for (const { seq, body } of rows) {
        const { id, reference, status } = JSON.parse(body) as Record<'id' | 'reference' | 'status', string>;
        sql.exec(
          `INSERT INTO resource (id, kind, seq, status, reference, created_at, request_id, body)
           VALUES (?, 'checkout_session', ?, ?, ?, ?, 'request', ?)
           ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, status = excluded.status, body = excluded.body`,
          id,
          seq,
          status,
          reference,
          Date.now(),
          body,
        );
        for (const list of LISTS[seq] ?? []) {
          sql.exec('INSERT INTO payment VALUES (?, ?, ?, 0, NULL, NULL)', list + reference, Date.now(), id);
        }
        if (seq < 3) continue;
        sql.exec('UPDATE ledger SET last_position = last_position + 1');
        sql.exec('INSERT INTO event (id, at, body) VALUES (?, ?, ?)', `${id}-${seq}`, Date.now(), body);
      }
    });
  }
}

function toEntry(record: FloorRecord): string {
  return JSON.stringify({ ...record, hosted: undefined, secretHash: undefined, rest: LISTED });
}

let tagKey: CryptoKey | undefined;
const hmac = { name: 'HMAC', hash: 'SHA-256' } as const;

async function tagOf(text: string): Promise<string> {
  tagKey ??= await crypto.subtle.importKey('raw', encoder.encode('floor'), hmac, false, ['sign']);
  return toCrockford(new Uint8Array(await crypto.subtle.sign('HMAC', tagKey, encoder.encode(text))), 6);
}

const newSecret = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(32)));

/** The object of a client secret, and the hash under which the object knows it. */
async function guest(c: { env: FloorEnv; req: { header(name: string): string | undefined } }) {
  const secret = c.req.header('authorization')?.slice('Bearer '.length) ?? '';
  const id = secret.slice(0, 26);
  if ((await tagOf(id.slice(0, 20))) !== id.slice(20)) throw new Error();
  return { session: c.env.FloorSession.getByName(id), hash: await sha256Hex(secret) };
}

const app = new Hono<{ Bindings: FloorEnv }>();
// Whoever starts it waits for this answer.
app.get('/healthz', (c) => c.json({ status: 'ok' }));
app.post('/v1/checkout-sessions', async (c) => {
  const key = c.req.header('authorization')?.slice('Bearer '.length) ?? '';
  if ((await sha256Hex(key)) !== c.env.KEY_SHA256) throw new Error();
  const body = toCrockford(crypto.getRandomValues(new Uint8Array(16)), 20);
  const id = body + (await tagOf(body));
  const clientSecret = `${id}_${newSecret()}`;
  const session = c.env.FloorSession.getByName(id);
  const order = await c.req.json<FloorRecord>();
  const created = await session.create(id, await sha256Hex(clientSecret), order);
  return c.json({ ...(created as FloorRecord), clientSecret }, 201);
});
app.get('/v1/checkout', async (c) => {
  const { session, hash } = await guest(c);
  return c.json(await session.read(hash));
});
app.post('/v1/checkout/start', async (c) => {
  const { session, hash } = await guest(c);
  await c.req.json();
  return c.json(await session.start(hash));
});

export default app;
