/**
 * The floor: bare Hono over objects that make the same SQLite reads and writes, the same alarms and the same requests as
 * the product does for a status read, a creation and a start, and do nothing else. No checks, no views, no logs.
 */
import { DurableObject } from 'cloudflare:workers';
import { Hono } from 'hono';

interface FloorEnv {
  readonly SESSIONS: DurableObjectNamespace<FloorSession>;
  readonly LEDGER: DurableObjectNamespace<FloorLedger>;
  readonly UPSTREAM: string;
}

/** Does what a checkout session object does to its storage. */
export class FloorSession extends DurableObject<FloorEnv> {
  create(id: string, secretHash: string, record: string): void {
    const { sql } = this.ctx.storage;
    const now = Date.now();
    this.ctx.storage.transactionSync(() => {
      sql.exec(
        `CREATE TABLE session (id TEXT PRIMARY KEY, seq INTEGER NOT NULL, state TEXT NOT NULL, fingerprint TEXT NOT NULL, record TEXT NOT NULL) WITHOUT ROWID;
         CREATE TABLE client_secret (hash TEXT PRIMARY KEY, created_at INTEGER NOT NULL, position INTEGER NOT NULL) WITHOUT ROWID;
         CREATE TABLE link (hash TEXT PRIMARY KEY, current TEXT NOT NULL) WITHOUT ROWID;
         CREATE TABLE outbox (seq INTEGER PRIMARY KEY, body TEXT NOT NULL);
         CREATE TABLE due (kind TEXT PRIMARY KEY, at INTEGER NOT NULL, attempt INTEGER NOT NULL) WITHOUT ROWID;`,
      );
      sql.exec("INSERT INTO session VALUES (?, 1, 'open', '', ?)", id, record);
      sql.exec('INSERT INTO client_secret VALUES (?, ?, 1)', secretHash, now);
      sql.exec('INSERT INTO outbox VALUES (1, ?)', record);
      this.#due('outbox', now);
      this.#due('deadline', now + 1_800_000);
      this.#due('erase', now + 34_560_000_000);
      void this.ctx.storage.setAlarm(now);
    });
  }

  read(secretHash: string): Record<string, unknown> {
    const { sql } = this.ctx.storage;
    sql.exec('SELECT 1 FROM client_secret WHERE hash = ?', secretHash).toArray();
    return JSON.parse(sql.exec<{ record: string }>('SELECT record FROM session').one().record);
  }

  async start(secretHash: string): Promise<Record<string, unknown>> {
    const record = this.read(secretHash);
    const hosted = await this.#call('initpayNoIframe', JSON.stringify({ cardInfoRefID: record.id }));
    this.#save({ ...record, ...hosted }, 2, 'pending');
    return { ...record, ...hosted };
  }

  override async alarm(): Promise<void> {
    const { sql } = this.ctx.storage;
    const due = sql.exec<{ kind: string }>('SELECT kind FROM due WHERE at <= ? ORDER BY at', Date.now()).toArray();
    await Promise.all(
      due.map(async ({ kind }) => {
        if (kind === 'outbox') {
          const rows = sql.exec<{ seq: number; body: string }>('SELECT seq, body FROM outbox ORDER BY seq').toArray();
          await this.env.LEDGER.getByName('floor').append(rows);
          sql.exec('DELETE FROM outbox');
          sql.exec("DELETE FROM due WHERE kind = 'outbox'");
        } else if (kind === 'look') {
          const record = JSON.parse(sql.exec<{ record: string }>('SELECT record FROM session').one().record);
          const query = `?requestid=${record.requestID}&serviceProvider=x`;
          await this.#call(`paystatus${query}`);
          sql.exec('UPDATE session SET record = ? WHERE seq = ?', JSON.stringify(record), 2);
          this.#due('look', Date.now());
          const found = await this.#call(`transaction${query}`);
          this.#save({ ...record, found }, 3, 'succeeded');
          sql.exec("DELETE FROM due WHERE kind = 'look'");
        }
      }),
    );
    const [next] = sql.exec<{ at: number }>('SELECT at FROM due ORDER BY at LIMIT 1').toArray();
    if (next !== undefined) await this.ctx.storage.setAlarm(next.at);
  }

  #save(record: Record<string, unknown>, seq: number, state: string): void {
    const { sql } = this.ctx.storage;
    const now = Date.now();
    this.ctx.storage.transactionSync(() => {
      sql.exec(
        'UPDATE session SET seq = ?, state = ?, record = ? WHERE seq = ?',
        seq,
        state,
        JSON.stringify(record),
        seq - 1,
      );
      sql.exec('INSERT INTO outbox VALUES (?, ?)', seq, JSON.stringify(record));
      this.#due('outbox', now);
      this.#due('look', now + 1_000);
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

/** Does what a ledger does to its storage. */
export class FloorLedger extends DurableObject<FloorEnv> {
  append(rows: readonly { seq: number; body: string }[]): void {
    const { sql } = this.ctx.storage;
    this.ctx.storage.transactionSync(() => {
      sql.exec(
        'CREATE TABLE IF NOT EXISTS resource (id TEXT PRIMARY KEY, created_at INTEGER, body TEXT) WITHOUT ROWID',
      );
      sql.exec('CREATE INDEX IF NOT EXISTS resource_by_time ON resource (created_at DESC, id DESC)');
      sql.exec('CREATE TABLE IF NOT EXISTS event (position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, body TEXT)');
      for (const { seq, body } of rows) {
        const { id } = JSON.parse(body) as { id: string };
        sql.exec(
          'INSERT INTO resource VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body',
          id,
          Date.now(),
          body,
        );
        if (seq === 3) sql.exec('INSERT OR IGNORE INTO event (id, body) VALUES (?, ?)', `${id}-${seq}`, body);
      }
    });
  }
}

const app = new Hono<{ Bindings: FloorEnv }>();
app.get('/healthz', (c) => c.json({ status: 'ok' }));
app.post('/create/:id/:hash', async (c) => {
  const { id, hash } = c.req.param();
  await c.env.SESSIONS.getByName(id).create(id, hash, JSON.stringify({ id, ...(await c.req.json<object>()) }));
  return c.json({ id }, 201);
});
app.get('/read/:id/:hash', async (c) =>
  c.json(await c.env.SESSIONS.getByName(c.req.param('id')).read(c.req.param('hash'))),
);
app.post('/start/:id/:hash', async (c) =>
  c.json(await c.env.SESSIONS.getByName(c.req.param('id')).start(c.req.param('hash'))),
);

export default app;
