/**
 * Histories that end within seconds and in one way only, however long each step takes: played in the simulated runtime
 * and in the real one, they must end the same. All of them take their steps together, so that a kill between two steps
 * meets every one of them.
 */
import type { Seeded } from '../support/seeded.ts';

type Json = Record<string, unknown>;

/** An answer, as far as these histories read it. */
export interface QuickAnswer {
  readonly status: number | 'lost';
  readonly body: Json;
}

/** Somewhere the histories can be played. */
export interface Site {
  readonly cardToken: string;
  /** A merchant's call, or that of the guest who has this client secret. */
  call(path: string, how?: { readonly body?: unknown; readonly key?: string; bearer?: string }): Promise<QuickAnswer>;
  /** The guest does something on the hosted page. Returns the path that the page leads to, if it does. */
  act(
    viewUrl: string,
    how: { readonly act: 'pay' | 'decline' | 'cancel'; readonly cardNumber: string },
  ): Promise<string | undefined>;
  /** The guest comes back to a path of the proxy. */
  comeBack(path: string): Promise<void>;
  /** Whether the payment service has booked a charge. */
  isBooked(chargeId: string): boolean;
  /** Ends the proxy at once, and starts it again on the same storage. */
  kill(): Promise<void>;
  pause(): Promise<void>;
}

const STEPS = 7;
/** After which steps the proxy is killed. */
const KILLS: readonly number[] = [2, 5];
/** Magic ones among them: see the sandbox's MAGIC.md. */
const AMOUNTS = [8_000, 8_000, 6_601, 6_612, 6_613, 6_614, 6_615, 6_618, 6_626] as const;
const CARDS = [
  '4242424242424242',
  '4242424242424242',
  '4000000000000002',
  '4000000000011801',
  '4000000000012106',
] as const;
const ACTS = ['pay', 'pay', 'pay', 'decline', 'cancel'] as const;
const DOINGS = ['charge', 'charge', 'reverse', 'reverse', 'session', 'again', 'resolve'] as const;

/** What one history has led to. */
interface Story {
  readonly name: string;
  readonly requests: { readonly path: string; readonly key: string; readonly body: Json }[];
  /** Ids of its resources, oldest first. */
  readonly ids: string[];
  readonly payments: string[];
  session?: { readonly id: string; readonly clientSecret: string };
  readonly answers: string[];
}

/** Plays all of them; returns how each ended, as a text to compare. */
export async function playQuickHistories(site: Site, random: Seeded, count: number): Promise<string[]> {
  const stories: Story[] = Array.from({ length: count }, (_, nth) => ({
    name: `q${nth}`,
    requests: [],
    ids: [],
    payments: [],
    answers: [],
  }));
  for (let step = 0; step < STEPS; step++) {
    await inGroups(stories, (story) => takeStep(site, random, story, step));
    if (KILLS.includes(step)) await site.kill();
  }
  await untilSettled(site, stories);
  const told = await readFeed(site);
  const ends: string[] = [];
  for (const story of stories) ends.push(await describe(site, story, told));
  return ends;
}

async function inGroups(stories: readonly Story[], work: (story: Story) => Promise<void>): Promise<void> {
  const GROUP = 12;
  for (let at = 0; at < stories.length; at += GROUP) await Promise.all(stories.slice(at, at + GROUP).map(work));
}

async function takeStep(site: Site, random: Seeded, story: Story, step: number): Promise<void> {
  const name = `${story.name}/${step}`;
  switch (random.pick(`${name}/do`, DOINGS)) {
    case 'charge':
      return send(site, story, {
        path: '/v1/charges',
        key: `${story.name}-k${random.below(`${name}/key`, 3)}`,
        body: {
          token: site.cardToken,
          tokenFrom: 'moto',
          amount: { value: random.pick(`${name}/amount`, AMOUNTS), currency: 'EUR' },
          reference: `${story.name}-${random.below(`${name}/reference`, 2)}`,
          reason: 'no_show',
        },
      });
    case 'reverse': {
      const payment = story.payments[random.below(`${name}/payment`, 5)];
      if (payment === undefined) return;
      const part = random.below(`${name}/part`, 5) * 1_000;
      return send(site, story, {
        path: '/v1/reversals',
        key: `${story.name}-r${random.below(`${name}/key`, 3)}`,
        body: { payment, ...(part === 0 ? {} : { amount: { value: part, currency: 'EUR' } }) },
      });
    }
    case 'session':
      return payBySession(site, random, story, name);
    case 'again': {
      const request = story.requests[random.below(`${name}/request`, 4)];
      return request === undefined ? undefined : send(site, story, request);
    }
    case 'resolve':
      return resolve(site, story);
  }
}

async function send(site: Site, story: Story, request: Story['requests'][number]): Promise<void> {
  story.requests.push(request);
  note(story, await site.call(request.path, request));
}

function note(story: Story, { status, body }: QuickAnswer): void {
  story.answers.push(`${status} ${String(body.code ?? body.status)}`);
  const id = String(body.id ?? '');
  if (!/^(ch|rv|cs)_/.test(id) || story.ids.includes(id)) return;
  story.ids.push(id);
  if (body.object === 'charge' && body.status === 'succeeded') story.payments.push(id);
}

async function payBySession(site: Site, random: Seeded, story: Story, name: string): Promise<void> {
  if (story.session === undefined || random.number(`${name}/again`) < 0.5) {
    const created = await site.call('/v1/checkout-sessions', {
      body: { kind: 'payment', amount: { value: 12_000, currency: 'EUR' }, reference: `${story.name}-s` },
      key: `${name}-session`,
    });
    note(story, created);
    story.session = { id: String(created.body.id), clientSecret: String(created.body.clientSecret) };
  } else await untilEnded(site, [story.session.id]);
  const started = await start(site, story.session.clientSecret);
  story.answers.push(`${started.status} ${String(started.body.code ?? started.body.status)}`);
  if (started.status !== 200) return;
  const path = await site.act(String(started.body.viewUrl), {
    act: random.pick(`${name}/act`, ACTS),
    cardNumber: random.pick(`${name}/card`, CARDS),
  });
  if (path !== undefined && random.number(`${name}/returns`) < 0.6) await site.comeBack(path);
}

/** The guest tries again when nobody said in time how an earlier attempt ended: how long that takes is the machine's to say. */
async function start(site: Site, clientSecret: string): Promise<QuickAnswer> {
  const body = { presentation: 'redirect', terms: 1 };
  for (let tries = 0; ; tries++) {
    const started = await site.call('/v1/checkout/start', { body, bearer: clientSecret });
    if (started.status !== 503 || tries === 20) return started;
    await site.pause();
  }
}

async function resolve(site: Site, story: Story): Promise<void> {
  for (const id of story.ids) {
    if (!id.startsWith('ch_')) continue;
    const { body } = await site.call(`/v1/charges/${id}`);
    if (body.status !== 'unknown') continue;
    const status = site.isBooked(id) ? 'succeeded' : 'failed';
    const evidence = {
      status,
      evidence: 'seen in the books',
      ...(status === 'succeeded' ? { transactionId: 'SEEN' } : {}),
    };
    const answer = await site.call(`/v1/charges/${id}/resolve`, { body: evidence });
    story.answers.push(`${answer.status} ${String(answer.body.status)}`);
    return;
  }
}

const PATHS: Readonly<Record<string, string>> = { cs: 'checkout-sessions', ch: 'charges', rv: 'reversals' };

/** Waits until no attempt of these sessions is under way. */
async function untilEnded(site: Site, ids: readonly string[]): Promise<void> {
  const waiting = new Set(ids);
  for (let tries = 0; waiting.size > 0 && tries < 200; tries++) {
    for (const id of waiting) {
      const { body } = await site.call(`/v1/checkout-sessions/${id}`);
      if (body.status !== 'pending') waiting.delete(id);
    }
    if (waiting.size > 0) await site.pause();
  }
}

async function untilSettled(site: Site, stories: readonly Story[]): Promise<void> {
  await untilEnded(
    site,
    stories.flatMap(({ ids }) => ids.filter((id) => id.startsWith('cs_'))),
  );
  // The last news is on its way to the ledger.
  await site.pause();
}

async function readFeed(site: Site): Promise<Map<string, string[]>> {
  const told = new Map<string, string[]>();
  for (let after = 0; ; ) {
    const { body } = await site.call(`/v1/events?after=${after}&limit=100`);
    const events = body.data as { type: string; data: { object: Json } }[];
    if (events.length === 0) return told;
    for (const { type, data } of events) {
      const id = String(data.object.id);
      told.set(id, [...(told.get(id) ?? []), type]);
    }
    after = Number(body.nextAfter);
  }
}

const DUPLICATE = 'checkout.duplicate_payment';

async function describe(site: Site, story: Story, told: ReadonlyMap<string, string[]>): Promise<string> {
  const lines = [`${story.name}: ${story.answers.join(', ')}`];
  const duplicates = story.ids.flatMap((id) => told.get(id) ?? []).filter((type) => type === DUPLICATE).length;
  for (const id of story.ids) {
    const { body } = await site.call(`/v1/${PATHS[id.slice(0, 2)]}/${id}`);
    const { object, status, final, amount, reversed, reversing } = body;
    // A charge or a reversal is its only attempt.
    const attempts = (body.attempts ?? [body]) as { status: unknown; error?: { code: unknown } | null }[];
    const ends = attempts.map((attempt) => [attempt.status, attempt.error?.code ?? null]);
    lines.push(
      `  ${JSON.stringify([object, status, final, amount, reversed, reversing, ends])} ${told
        .get(id)
        ?.filter((type) => type !== DUPLICATE)
        .join(', ')}`,
    );
  }
  // Which of two payments that end together is the later one is not the history's to say.
  return [...lines, `  ${duplicates} duplicates`].join('\n');
}
