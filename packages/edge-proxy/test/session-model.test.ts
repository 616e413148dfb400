/**
 * Random stories of guests, merchants, upstreams and crashes against the real objects, held to the promises of the
 * session: what is final stays, success is proven, one page is opened, every story ends, every transition is told.
 */
import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Created,
  createSession,
  guest,
  type Json,
  merchant,
  retrieve,
  send,
  startAttempt,
} from '../test-support/client.ts';
import type { FakeUpstream } from '../test-support/fake-upstream.ts';
import { useFakes } from '../test-support/harness.ts';
import { passSeconds, runLedgerAlarm, runSessionAlarm } from '../test-support/objects.ts';

/** Each story is a booking of its own: two payments of one booking are news of another kind. */
let stories = 0;
const fakes = useFakes();

type Step =
  | { do: 'start'; fault: 'none' | 'down' | 'status' | 'garbage' | 'declined' | 'elsewhere' | 'lost' }
  | { do: 'return'; through: 'callbackSuccessUrl' | 'callbackAbortUrl' }
  | { do: 'read' | 'expire' | 'refresh' | 'crash' }
  | { do: 'resolve'; status: 'succeeded' | 'failed' }
  | { do: 'upstream'; says: 'paid' | 'wrong_amount' | 'wrong_unit' | 'wrong_request' | 'not_ready' | 'error' }
  | { do: 'faults'; polls: boolean; records: boolean; webhooks: boolean; logins: boolean }
  | { do: 'wait'; seconds: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('start' as const),
      fault: fc.constantFrom('none', 'none', 'down', 'status', 'garbage', 'declined', 'elsewhere', 'lost'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('return' as const),
      through: fc.constantFrom('callbackSuccessUrl', 'callbackAbortUrl'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('read', 'expire', 'refresh', 'crash') }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('resolve' as const), status: fc.constantFrom('succeeded', 'failed') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('upstream' as const),
      says: fc.constantFrom('paid', 'paid', 'wrong_amount', 'wrong_unit', 'wrong_request', 'not_ready', 'error'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('faults' as const),
      polls: fc.boolean(),
      records: fc.boolean(),
      webhooks: fc.boolean(),
      logins: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      seconds: fc.constantFrom(1, 2, 5, 6, 30, 900, 1_801, 3_601, 86_401),
    }),
  },
) as fc.Arbitrary<Step>;

const RECORDS: Readonly<Record<string, Json>> = {
  paid: {},
  wrong_amount: { amount: 11_999 },
  wrong_unit: { amount: 1_200_000 },
  wrong_request: { requestID: 'another' },
  not_ready: { status: '_open' },
};

interface Story {
  readonly session: Created;
  readonly upstream: FakeUpstream;
  /** Versions of the session as the merchant saw them, in order. */
  readonly seen: Json[];
  readonly viewUrls: Set<string>;
  /** Whether the upstream ever had a consistent record, or a person vouched. */
  mayHaveSucceeded: boolean;
}

function isHosted({ upstream, session }: Story): boolean {
  return [...upstream.hosted.values()].some(({ init }) => init.cardInfoRefID === session.id);
}

/** The hosted request the session knows: the one whose page it handed out. */
function hostedRequest({ viewUrls }: Story): string | undefined {
  const [viewUrl] = viewUrls;
  return viewUrl === undefined ? undefined : atob(new URL(viewUrl).searchParams.get('PD') ?? '');
}

function initAnswer(fault: string): (() => Response | Promise<Response>) | undefined {
  switch (fault) {
    case 'down':
      return () => Promise.reject(new TypeError('Network connection lost.'));
    case 'status':
      return () => new Response(null, { status: 503 });
    case 'garbage':
      return () => new Response('<html>');
    case 'declined':
      return () => Response.json({ returnCode: '3' });
    case 'elsewhere':
      return () =>
        Response.json({
          viewUrl: 'https://evil.test/?PD=1',
          requestID: 'R',
          stateRetrivalUrl: 'https://evil.test/',
          returnCode: '0',
        });
    default:
      return undefined;
  }
}

async function take(story: Story, next: Step): Promise<void> {
  const { session, upstream } = story;
  const path = `/v1/checkout-sessions/${session.id}`;
  switch (next.do) {
    case 'start': {
      const answer = initAnswer(next.fault);
      if (answer !== undefined) upstream.overrides.initpayNoIframe = answer as () => Response;
      // The upstream has opened a page, but its answer is lost on the way.
      if (next.fault === 'lost') upstream.loseInitAnswers = true;
      const started = await startAttempt(session);
      delete upstream.overrides.initpayNoIframe;
      upstream.loseInitAnswers = false;
      if (started.status === 200) story.viewUrls.add((await started.json<{ viewUrl: string }>()).viewUrl);
      return;
    }
    case 'return': {
      const requestID = hostedRequest(story);
      const hosted = requestID === undefined ? undefined : upstream.hosted.get(requestID);
      if (hosted === undefined) return;
      passSeconds(1);
      await send(new URL(hosted.init[next.through] ?? '').pathname);
      return;
    }
    case 'read':
      await guest('/v1/checkout', session.clientSecret);
      return;
    case 'expire':
      await merchant(`${path}/expire`, { method: 'POST' });
      return;
    case 'refresh':
      passSeconds(1);
      await merchant(`${path}/refresh`, { method: 'POST' });
      return;
    case 'resolve': {
      const answer = await merchant(`${path}/resolve`, { body: { status: next.status, evidence: 'portal' } });
      if (answer.ok) story.mayHaveSucceeded = true;
      return;
    }
    case 'crash':
      await evictDurableObject(env.CHECKOUT_SESSIONS.getByName(session.id));
      return;
    case 'upstream': {
      const requestID = hostedRequest(story);
      if (requestID === undefined || !isHosted(story)) return;
      if (next.says === 'error') upstream.failRequest(requestID);
      else upstream.payRequest(requestID, RECORDS[next.says]);
      if (next.says === 'paid') story.mayHaveSucceeded = true;
      return;
    }
    case 'faults':
      setFault(upstream, 'paystatus', next.polls);
      setFault(upstream, 'transaction', next.records);
      setFault(upstream, 'login', next.logins);
      upstream.webhookStatus = next.webhooks ? 500 : 204;
      return;
    case 'wait':
      passSeconds(next.seconds);
      await runSessionAlarm(session.id);
      await runLedgerAlarm();
  }
}

function setFault(upstream: FakeUpstream, operation: string, isBroken: boolean): void {
  if (isBroken) upstream.overrides[operation] = () => new Response(null, { status: 500 });
  else delete upstream.overrides[operation];
}

async function observeStory(story: Story): Promise<void> {
  const now = await retrieve(story.session.id);
  const before = story.seen.at(-1);
  if (before !== undefined) {
    expect(Number(now.seq)).toBeGreaterThanOrEqual(Number(before.seq));
    if (now.seq === before.seq) expect(now).toEqual(before);
    // Only money that shows late moves what had ended without any.
    const mayMove = ['failed', 'canceled'].includes(String(before.status)) && now.seq !== before.seq;
    if (mayMove) expect(['succeeded', 'unknown']).toContain(now.status);
    else if (before.final === true) expect(now).toEqual(before);
    if (before.status !== 'open') expect(now.status).not.toBe('open');
    if (before.status === 'unknown' && now.status !== 'unknown') expect(['succeeded', 'failed']).toContain(now.status);
  }
  if (now.status === 'succeeded') {
    expect(story.mayHaveSucceeded).toBe(true);
    const wasTold = story.seen.some(({ status }) => ['failed', 'canceled', 'expired'].includes(String(status)));
    if (wasTold) expect(now.late).toBe(true);
  } else expect(now.late).toBe(false);
  if (now.status === 'unknown' && now.error !== null) {
    expect(now.recorded === null).toBe((now.error as Json).code === 'record_unreadable');
  }
  if (now.status === 'failed' && before?.status === 'unknown') expect(now).toHaveProperty('resolution');
  expect(story.viewUrls.size).toBeLessThanOrEqual(1);
  story.seen.push(now);
}

async function endStory(story: Story): Promise<void> {
  const { session, upstream } = story;
  upstream.overrides = {};
  upstream.webhookStatus = 204;
  for (const seconds of [5, 5, 5, 60, 900, 1_800, 3_600, 3_600, 86_400, 86_400, 100_000]) {
    await take(story, { do: 'wait', seconds });
    await observeStory(story);
  }
  const last = await retrieve(session.id);
  expect(last.final === true || ['expired', 'unknown'].includes(String(last.status))).toBe(true);

  const events: { id: string; type: string; data: { object: Json } }[] = [];
  for (let after = 0; ; ) {
    const page = await (await merchant(`/v1/events?after=${after}&limit=100`)).json<{
      data: typeof events;
      nextAfter: number;
    }>();
    events.push(...page.data.filter(({ data }) => data.object.id === session.id));
    if (page.nextAfter === after) break;
    after = page.nextAfter;
  }
  // One event for every version but open and pending, each once, the last one the state as it is now.
  const firstTold = story.viewUrls.size === 1 || last.startedAt !== null ? 3 : 2;
  const versions = events.map(({ data }) => Number(data.object.seq));
  expect(versions).toEqual(Array.from({ length: Number(last.seq) - firstTold + 1 }, (_, i) => firstTold + i));
  expect(events.at(-1)?.data.object.status).toBe(last.status);
  expect(events.every(({ type, data }) => type === `checkout.${String(data.object.status)}`)).toBe(true);
  const delivered = new Set(
    upstream.requests
      .filter(({ operation }) => operation === 'webhook')
      .map(({ headers }) => headers.get('webhook-id')),
  );
  for (const { id } of events) expect(delivered.has(id)).toBe(true);
}

test('no story breaks a promise', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 24 }), async (steps) => {
      fakes.upstream.overrides = {};
      fakes.upstream.webhookStatus = 204;
      stories += 1;
      const session = await createSession({ reference: `RES-${stories}`, expiresInSeconds: 600 });
      const story: Story = {
        session,
        upstream: fakes.upstream,
        seen: [],
        viewUrls: new Set(),
        mayHaveSucceeded: false,
      };
      await observeStory(story);
      for (const next of steps) {
        await take(story, next);
        await observeStory(story);
      }
      await endStory(story);
      expect(story.seen.at(-1)?.id).toBe(session.id);
    }),
    // A failing story prints its seed and path; put them here to replay it.
    { numRuns: 40 },
  );
});
