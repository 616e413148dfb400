/** A golden folder: unpacked, opened with the proxy and the sandbox of today, and read. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { serveProxy } from '@innkeep/edge-proxy/serve';
import { type Sandbox, serveSandbox } from '@innkeep/sandbox';
import { freePort } from '../../scripts/launch.ts';
import { until } from '../support/money-stack.ts';
import { type Answer, ask, askAsGuest, type Call, kept } from './calls.ts';
import { environment } from './hotels.ts';
import { putInDesk, putInGuests } from './put-in.ts';

/** What is known of a folder besides the folder itself. */
export interface Golden {
  /** When the process was killed, by the proxy's clock. Milliseconds since the epoch. */
  readonly madeAt: number;
  /** Where the payment service was. */
  readonly upstreamUrl: string;
  readonly publicUrl: string;
  /** How many events each feed had. */
  readonly events: { readonly aurora: number; readonly platform: number };
  /** Every call that made the folder, by its name. */
  readonly calls: Readonly<Record<string, Call>>;
  /** What each answers again, and what can be read, once the folder is opened. */
  readonly answers: Readonly<Record<string, Answer>>;
  /** What comes of it when the hotel goes on from there. */
  readonly next: Readonly<Record<string, Answer>>;
}

/** A folder that is open. */
export type OpenGolden = Awaited<ReturnType<typeof openGolden>>;

/** The calls that would move money, store a card or begin a payment. */
export const SENT_ONCE = ['initpayNoIframe', 'initCreateTokenNoIframe', 'createToken', 'pay', 'reversal'];

/** Packs what a proxy has stored. Not in gzip's form, which does not see that two objects are alike. */
export function pack(dataDir: string, archive: string): void {
  // The runtime makes its shared memory anew.
  const files = ['--exclude=*-shm', '-C', dataDir, 'objects', 'schema-version'];
  const tar = execFileSync('tar', ['-c', ...files], { maxBuffer: MAX_TAR_BYTES });
  const { ZSTD_c_compressionLevel: level, ZSTD_c_windowLog: window } = constants;
  writeFileSync(archive, zstdCompressSync(tar, { params: { [level]: 19, [window]: 24 } }));
}

const MAX_TAR_BYTES = 100_000_000;

/** How a folder is opened otherwise than it was left. */
interface Opening {
  /** Where the hotel's events go now. */
  readonly webhookUrl?: string;
  /** Classes whose objects are left out. */
  readonly without?: readonly string[];
  /** Whether the sandbox knows the guests who were sent to the payment service. */
  readonly hasGuests?: boolean;
}

/** Opens a folder with the proxy's clock standing where it was when the folder was made. */
export async function openGolden(
  archive: string,
  golden: Golden,
  { webhookUrl, without = [], hasGuests = false }: Opening = {},
) {
  const root = mkdtempSync(join(tmpdir(), 'innkeep-golden-'));
  const [dataDir, envFile] = [join(root, 'data'), join(root, 'proxy.env')];
  mkdirSync(dataDir, { mode: 0o700 });
  const excluded = without.map((name) => `--exclude=objects/innkeep-${name}`);
  execFileSync('tar', ['-x', '-C', dataDir, ...excluded], { input: zstdDecompressSync(readFileSync(archive)) });
  const sandbox = await serveSandbox({ port: 0 });
  const objects = join(dataDir, 'objects');
  const deskSecret = without.length === 0 ? putInDesk(objects, 'anna') : '';
  const guests = hasGuests ? await putInGuests(objects, golden.upstreamUrl, sandbox) : [];
  writeFileSync(
    envFile,
    environment({ url: sandbox.url, goldenUrl: golden.upstreamUrl }, golden.publicUrl, webhookUrl),
  );
  const lines: string[] = [];
  const offsetMs = golden.madeAt - Date.now();
  const proxy = await serveProxy({
    port: await freePort(),
    envFile,
    dataDir,
    clock: { offsetMs },
    onLine: (line) => lines.push(line),
  });
  return {
    url: proxy.url,
    sandbox: sandbox.sandbox,
    /** The secret of Anna's desk session. */
    deskSecret,
    /** Whom the sandbox knows. */
    guests,
    /** What was asked of the payment service, by operation. */
    upstreamCalls: () => sandbox.sandbox.control.requests().requests.map(({ operation }) => operation),
    /** What the proxy has printed that says of an error. */
    errors: () => lines.filter((line) => /"level":"error"|uncaught|"status":5\d\d/.test(line)),
    /** Repeats every call, and reads everything. */
    readAll: () => readAll(proxy.url, golden),
    /** Goes on from there: what was open is paid, what was unknown is resolved and given back. */
    goOn: () => goOn(proxy.url, golden, sandbox.sandbox),
    /** Moves the proxy's clock so far from where it stood when the folder was made. */
    passDays: (days: number) => proxy.moveClock(offsetMs + days * DAY_MS),
    async close(): Promise<void> {
      await proxy.close();
      await sandbox.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

const DAY_MS = 24 * 60 * 60_000;
const LISTS = ['checkout-sessions', 'charges', 'reversals'] as const;
const MONEY_STATUSES = ['created', 'sent', 'succeeded', 'declined', 'failed', 'unknown'];
/** All there were when the folder was made. */
const STATUSES = {
  'checkout-sessions': ['open', 'pending', 'succeeded', 'expired', 'unknown'],
  charges: MONEY_STATUSES,
  reversals: MONEY_STATUSES,
} as const;

async function readAll(url: string, golden: Golden): Promise<Record<string, Answer>> {
  const answers: Record<string, Answer> = {};
  const keep = (name: string, answer: Answer): Answer => {
    answers[name] = kept(answer, golden.madeAt);
    return answer;
  };
  const read = async (name: string, path: string, as: Call['as'] = 'aurora'): Promise<Answer> =>
    keep(name, await ask(url, { as, method: 'GET', path }));

  for (const [name, call] of Object.entries(golden.calls)) {
    const { body } = keep(name, await ask(url, call));
    const { id, clientSecret, url: link } = body as { id?: string; clientSecret?: string; url?: string };
    if (clientSecret !== undefined) keep(`${name}: its guest`, await askAsGuest(url, '/v1/checkout', clientSecret));
    if (name === 'session: pending') {
      const start = { presentation: 'tab', terms: 1 };
      keep('its guest starts again', await askAsGuest(url, '/v1/checkout/start', clientSecret ?? '', start));
    }
    if (link !== undefined) keep(`${name}: its page`, await page(link.replace(golden.publicUrl, url)));
    if (id?.match(/^(ch|rv|cs)_/))
      await read(`${name}: alone`, `${call.path.split('/').slice(0, 3).join('/')}/${id}`, call.as);
  }
  await read('a session by its key', '/v1/checkout-sessions/by-key/booking-1');
  // What nobody was told the outcome of reaches the lists a moment later.
  const isUnderWay = ({ body }: Answer): boolean => /"(created|sent|processing)"/.test(JSON.stringify(body));
  for (const list of LISTS) {
    const path = `/v1/${list}?limit=100`;
    await until(
      () => ask(url, { as: 'aurora', method: 'GET', path }),
      (answer) => !isUnderWay(answer),
    );
    await read(`list of ${list}`, path);
    for (const status of STATUSES[list]) await read(`${status} ${list}`, `${path}&status=${status}`);
  }
  const payments = ['', '&status=partly_reversed', '&status=unknown'].map((status) => `limit=100${status}`);
  for (const query of [...payments, 'q=OPEN', 'q=120%2C00', 'q=4242']) {
    const { status, body } = await ask(url, { as: 'aurora', method: 'GET', path: `/v1/payments?${query}` });
    // What was under way goes on.
    keep(`payments by ${query}`, { status, body: { ...(body as object), position: null } });
  }
  await read('desk sessions', '/v1/desk-sessions?limit=100');
  await read('list of the inn', '/v1/checkout-sessions?limit=100', 'inn');
  await read('events', `/v1/events?limit=${golden.events.aurora}`);
  await read('events of all hotels', `/v1/platform/events?limit=${golden.events.platform}`, 'platform');
  const to = new Date(golden.madeAt).toISOString();
  await read('audit', `/v1/audit?limit=100&to=${to}`);
  await read('audit of all hotels', `/v1/platform/audit?limit=100&to=${to}`, 'platform');
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
  await read(
    'export',
    `/v1/export.csv?completedFrom=${day(golden.madeAt - 20 * DAY_MS)}&completedTo=${day(golden.madeAt + DAY_MS)}`,
  );
  await read('webhook endpoints', '/v1/webhook-endpoints');
  await read('hotels', '/v1/properties?limit=100', 'platform');
  for (const id of ['alpine_inn', 'alpine_gone']) {
    await read(id, `/v1/properties/${id}`, 'platform');
    await read(`versions of ${id}`, `/v1/properties/${id}/versions`, 'platform');
  }
  await read('keys', '/v1/platform/keys', 'platform');
  return answers;
}

async function goOn(url: string, golden: Golden, { control }: Sandbox): Promise<Record<string, Answer>> {
  const next: Record<string, Answer> = {};
  const keep = (name: string, answer: Answer): void => {
    next[name] = kept(answer, golden.madeAt);
  };
  /** What a call has made, as it is now. */
  const madeBy = async (name: string): Promise<{ id: string; clientSecret: string; status: string }> => {
    const call = golden.calls[name];
    if (call === undefined) throw new Error(`No step is called “${name}”`);
    return (await ask(url, call)).body as { id: string; clientSecret: string; status: string };
  };
  const post = async (name: string, path: string, body: unknown): Promise<void> =>
    keep(name, await ask(url, { as: 'aurora', method: 'POST', path, idempotencyKey: name.replaceAll(' ', '-'), body }));

  for (const name of ['open', 'with links', 'with a second client secret']) {
    const step = `session: ${name}`;
    const { id, clientSecret } = await madeBy(step);
    const start = await askAsGuest(url, '/v1/checkout/start', clientSecret, { presentation: 'tab', terms: 1 });
    // Not the address: it is the sandbox's of today.
    next[`${name} is started`] = { status: start.status, body: {} };
    if (start.status !== 200) throw new Error(`${name}: ${JSON.stringify(start)}`);
    const { requestID = '' } = control.ledger().hosted.at(-1) ?? {};
    await control.complete({ requestID, outcome: 'paid' });
    const session: Call = { as: 'aurora', method: 'GET', path: `/v1/checkout-sessions/${id}` };
    // Whoever reads it has the payment service asked.
    await until(
      () => ask(url, session),
      ({ body }) => (body as { status: string }).status === 'succeeded',
    );
    keep(`${name} is paid`, await ask(url, session));
    await post(`${name} is given back`, '/v1/reversals', { payment: id });
  }
  const evidence = 'The portal shows it';
  const charge = await madeBy('a charge whose answer is lost');
  const found = { status: 'succeeded', transactionId: 'PORTAL-2', evidence };
  await post('a charge is resolved', `/v1/charges/${charge.id}/resolve`, found);
  await post('what was resolved is given back', '/v1/reversals', { payment: charge.id });
  const reversal = await madeBy('a reversal under way');
  await post('a reversal is resolved', `/v1/reversals/${reversal.id}/resolve`, { status: 'failed', evidence });
  const back = await madeBy('a charge to give back');
  await post('what was not given back is', '/v1/reversals', { payment: back.id });
  const declined = await madeBy('a charge that is declined');
  await post('what was declined cannot be given back', '/v1/reversals', { payment: declined.id });
  const redacted = await madeBy('session: declined, then paid');
  await post('a session is redacted', `/v1/checkout-sessions/${redacted.id}/redact`, undefined);
  await until(
    () => ask(url, { as: 'aurora', method: 'GET', path: `/v1/events?after=${golden.events.aurora}&limit=100` }),
    ({ body }) => JSON.stringify(body).includes('payment.redacted'),
  );
  const events = { as: 'aurora', method: 'GET', path: `/v1/events?limit=${golden.events.aurora}` } as const;
  keep('events without the words of what was redacted', await ask(url, events));
  // Its card is not known to the sandbox of today.
  const { body } = golden.calls['a charge'] ?? {};
  await post('a card is charged again', '/v1/charges', { ...(body as object), reference: 'again' });
  return next;
}

/** Of a page, whose words and markup may change: whether it can be opened, and is the right one. */
export async function page(url: string): Promise<Answer> {
  const opened = await fetch(url);
  const showsTheAmount = (await opened.text()).includes('120.00');
  return { status: 200, body: { opens: opened.status, showsTheAmount } };
}
