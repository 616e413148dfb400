/**
 * The floor: the least that a correct proxy must do for a status read, a creation and a start. The same HTTP calls, objects,
 * tables, commits, alarms and requests as the product's, and the cryptography that its secrets need: an id with a tag, hashes
 * of the merchant key, the client secret and the return nonce. No checks, no views, no time limits, no logs.
 */
import { DurableObject } from 'cloudflare:workers';
import { Hono } from 'hono';
import { toBase64Url, toCrockford } from '../../src/http/encoding.ts';
import { sha256Hex } from '../../src/http/hash.ts';
import { hasTables, makeTables } from '../../src/ledger/ledger-tables.ts';

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
/** What makes an answer to a guest as large as the product's. */
const SHOWN = 'x'.repeat(200);
const encoder = new TextEncoder();

/** Does what a checkout session object does to its storage. */
export class FloorSession extends DurableObject<FloorEnv> {
  #record: FloorRecord | undefined;

  create(id: string, secretHash: string, body: FloorRecord): FloorRecord {
    const { sql } = this.ctx.storage;
    const now = Date.now();
    this.#record = { id, status: 'open', ...body, rest: STORED };
    const record = this.#record;
    this.ctx.storage.transactionSync(() => {
      sql.exec(
        `CREATE TABLE session (id TEXT PRIMARY KEY, seq INTEGER NOT NULL, state TEXT NOT NULL, fingerprint TEXT NOT NULL, record TEXT NOT NULL) WITHOUT ROWID;
         CREATE TABLE client_secret (hash TEXT PRIMARY KEY, created_at INTEGER NOT NULL, position INTEGER NOT NULL) WITHOUT ROWID;
         CREATE TABLE link (hash TEXT PRIMARY KEY, current TEXT NOT NULL) WITHOUT ROWID;
         CREATE TABLE outbox (seq INTEGER PRIMARY KEY, body TEXT NOT NULL);
         CREATE TABLE due (kind TEXT PRIMARY KEY, at INTEGER NOT NULL, attempt INTEGER NOT NULL) WITHOUT ROWID;`,
      );
      sql.exec("INSERT INTO session VALUES (?, 1, 'open', '', ?)", id, JSON.stringify(record));
      sql.exec('INSERT INTO client_secret VALUES (?, ?, 1)', secretHash, now);
      sql.exec('INSERT INTO outbox VALUES (1, ?)', toEntry(record));
      this.#due('outbox', now);
      this.#due('deadline', now + 1_800_000);
      this.#due('erase', now + 34_560_000_000);
      void this.ctx.storage.setAlarm(now);
    });
    return record;
  }

  read(secretHash: string): FloorRecord {
    this.#check(secretHash);
    return { ...this.#load(), hosted: undefined, found: undefined, rest: SHOWN };
  }

  async start(secretHash: string): Promise<FloorRecord> {
    this.#check(secretHash);
    const nonce = newSecret();
    const asked = { cardInfoRefID: this.#load().id, url: `http://127.0.0.1/return/${nonce}`, rest: SHOWN };
    const nonceHash = await sha256Hex(nonce);
    const hosted = await this.#call('initpayNoIframe', JSON.stringify(asked));
    this.#save({ ...this.#load(), hosted, nonceHash, status: 'pending' }, 2);
    return { ...this.#load(), rest: SHOWN };
  }

  override async alarm(): Promise<void> {
    const { sql } = this.ctx.storage;
    const due = sql.exec<{ kind: string }>('SELECT kind FROM due WHERE at <= ? ORDER BY at', Date.now()).toArray();
    await Promise.all(due.map(({ kind }) => (kind === 'outbox' ? this.#tell() : this.#poll())));
    const [next] = sql.exec<{ at: number }>('SELECT at FROM due ORDER BY at LIMIT 1').toArray();
    if (next !== undefined) await this.ctx.storage.setAlarm(next.at);
  }

  async #tell(): Promise<void> {
    const { sql } = this.ctx.storage;
    const rows = sql.exec<{ seq: number; body: string }>('SELECT seq, body FROM outbox ORDER BY seq').toArray();
    await this.env.FloorLedger.getByName('floor').append(rows);
    sql.exec('DELETE FROM outbox');
    sql.exec("DELETE FROM due WHERE kind = 'outbox'");
  }

  async #poll(): Promise<void> {
    const { sql } = this.ctx.storage;
    const record = this.#load();
    const { requestID } = record.hosted as Record<string, string>;
    const query = `?requestid=${requestID}&serviceProvider=x`;
    const seen = { ...record, state: await this.#call(`paystatus${query}`) };
    sql.exec('UPDATE session SET record = ? WHERE seq = ?', JSON.stringify(seen), 2);
    this.#due('poll', Date.now());
    const found = await this.#call(`transaction${query}`);
    this.#save({ ...seen, found, status: 'succeeded', completedAt: new Date().toISOString() }, 3);
    sql.exec("DELETE FROM due WHERE kind = 'poll'");
  }

  #check(secretHash: string): void {
    const { sql } = this.ctx.storage;
    if (sql.exec('SELECT 1 FROM client_secret WHERE hash = ?', secretHash).toArray().length === 0) throw new Error();
  }

  #load(): FloorRecord {
    const { sql } = this.ctx.storage;
    this.#record ??= JSON.parse(sql.exec<{ record: string }>('SELECT record FROM session').one().record) as FloorRecord;
    return this.#record;
  }

  #save(record: FloorRecord, seq: number): void {
    const { sql } = this.ctx.storage;
    const now = Date.now();
    this.#record = record;
    const [text, state] = [JSON.stringify(record), String(record.status)];
    this.ctx.storage.transactionSync(() => {
      sql.exec('UPDATE session SET seq = ?, state = ?, record = ? WHERE seq = ?', seq, state, text, seq - 1);
      sql.exec('INSERT INTO outbox VALUES (?, ?)', seq, toEntry(record));
      this.#due('outbox', now);
      this.#due('poll', now + 1_000);
      this.#due('deadline', now + 1_800_000);
      void this.ctx.storage.setAlarm(now);
    });
  }

  #due(kind: string, at: number): void {
    this.ctx.storage.sql.exec('INSERT OR REPLACE INTO due VALUES (?, ?, 0)', kind, at);
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
    this.#isReady ||= hasTables(sql);
    if (!this.#isReady) makeTables(sql, 'floor');
    this.ctx.storage.transactionSync(() => {
      for (const { seq, body } of rows) {
        const { id, reference, status } = JSON.parse(body) as Record<'id' | 'reference' | 'status', string>;
        sql.exec(
          `INSERT INTO resource (id, kind, seq, status, reference, created_at, body) VALUES (?, 'checkout_session', ?, ?, ?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, status = excluded.status, body = excluded.body`,
          id,
          seq,
          status,
          reference,
          Date.now(),
          body,
        );
        if (seq < 3) continue;
        sql.exec('UPDATE ledger SET last_position = last_position + 1');
        sql.exec('INSERT INTO event (id, at, body) VALUES (?, ?, ?)', `${id}-${seq}`, Date.now(), body);
      }
    });
  }
}

function toEntry(record: FloorRecord): string {
  return JSON.stringify({ ...record, hosted: undefined, state: undefined, rest: LISTED });
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
  const created = await session.create(id, await sha256Hex(clientSecret), await c.req.json());
  return c.json({ ...created, clientSecret }, 201);
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
