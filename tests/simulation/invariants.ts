/**
 * What must hold of every world, held against the payment services' own books: first while faults last, then after them
 * has ended and everything had its time. Each rule has a name; the documentation names them, too.
 */
import { openBooks, type Version } from './directory-books.ts';
import { checkDirectory } from './directory-invariants.ts';
import { attemptsOf, PATHS, type Play, pathOf } from './history.ts';
import { checkFeeds, checkFeedsInTime } from './platform-feed.ts';
import type { Rule, Violation } from './rules.ts';
import { queryPlans } from './runtime/storage.ts';
import { CALM, HOTELS, type HotelName, type Json, perHotel, type Sent, STAFF_KEY, type World } from './world.ts';

/** The record of an object that has one. */
const RECORD = "SELECT json_extract(body, '$.record') AS record FROM object";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** How long a charge or a reversal may be under way after the last fault: a launcher's start spreads alarms over five minutes, and one may be late. */
const UNDER_WAY_LIMIT_MS = 8 * MINUTE;
/** How long a feed may still be asked again after the last fault: ten minutes, and until an alarm that is late. */
const FEED_LIMIT_MS = 13 * MINUTE;
/** How long an outcome may still come: looks after the end, and every retry of a webhook. */
const QUIET_MS = 4 * DAY;

/** Ends the faults, lets everything come to its end, and looks at what came of it. */
export async function check(play: Play): Promise<Violation[]> {
  const { world } = play;
  const isCalm = world.injected.length === 0 && !play.isDisturbed;
  world.tell('the faults end');
  world.faults = CALM;
  world.awayUntil.clear();
  if (HOTELS.some((hotel) => world.settings[hotel].isBroken)) {
    for (const hotel of HOTELS) world.settings[hotel].isBroken = false;
    world.applySettings('repaired');
  }
  for (const hotel of HOTELS) {
    for (const { url } of world.settings[hotel].webhooks) {
      if (['failing', 'flapping', 'lost'].includes(world.endpointKind(url))) world.setEndpoint(url, 'fine');
    }
  }
  await world.pass(UNDER_WAY_LIMIT_MS);
  if (world.hasDirectory) await repairDirectory(play, ({ isRemoved }) => !isRemoved);
  for (const object of world.runtime.objectsOf('MONEY_OPERATIONS')) {
    const state = object.peek("SELECT json_extract(body, '$.record.state') AS state FROM object")?.state;
    if (state === 'created' || state === 'sent') {
      world.breaks('settles-in-time', `${object.name} is still ${state}`);
    }
  }
  if (world.hasDirectory) {
    await world.pass(FEED_LIMIT_MS);
    checkFeedsInTime(world);
  }
  const expiries = world.runtime.objectsOf('CHECKOUT_SESSIONS').map((object) => {
    const record = object.peek(RECORD)?.record;
    const { expiresAt, nextOffer } = JSON.parse(String(record ?? '{}')) as {
      expiresAt?: number;
      nextOffer?: Json | null;
    };
    return Math.max(expiresAt ?? 0, Number(nextOffer?.expiresAt ?? 0));
  });
  const lastExpiry = Math.max(0, ...expiries);
  // An attempt of the last moment is abandoned, and watched for a day.
  await world.pass(Math.max(QUIET_MS, lastExpiry + 4 * DAY - world.scheduler.now));
  if (world.hasDirectory) {
    await repairDirectory(play, ({ isRemoved }) => isRemoved);
    await play.operator.reseal();
  }
  await giveBackRests(play);
  await readPaidLate(play);
  const restartedAt = world.scheduler.now;
  world.restart('the end');
  await world.pass(2 * MINUTE);
  const end = { ...(await readEverything(play)), restartedAt };
  if (world.hasDirectory) await checkFeeds(world, { reader: play.feed, events: end.events });
  checkMoney(end, play);
  checkSessions(end, play);
  checkReversals(end, play);
  checkLimit(end, play);
  checkAudit(end, play);
  checkFeed(end, play);
  checkLists(end, play);
  checkPayments(end, play);
  checkDuplicates(end, play);
  if (world.hasDirectory) checkDirectory(play, openBooks(world));
  if (isCalm) checkCalm(end, play);
  for (const [query, steps] of queryPlans) {
    if (!steps.some((step) => /^SCAN (resource|payment|event|delivery)\b/.test(step))) continue;
    world.breaks('queries-bounded', `${query} does: ${steps.join(', ')}`);
  }
  for (const { label, hasGivenUp } of world.runtime.objects) {
    if (hasGivenUp) world.breaks('alarms-kept', `${label} lost its alarm`);
  }
  return [...world.violations];
}

/** Puts right what was changed. A hotel that is removed stays so until what it began has ended. */
async function repairDirectory(play: Play, isMeant: (newest: Version) => boolean): Promise<void> {
  for (const [hotel, versions] of openBooks(play.world)) {
    const newest = versions.at(-1);
    const isWrong = newest !== undefined && newest.configuration?.password !== play.world.settings[hotel].password;
    if (newest !== undefined && (isMeant(newest) || isWrong)) await play.operator.repair(hotel);
  }
}

/** Refunds what is left of the payments of sessions that were paid twice. */
async function giveBackRests({ world, payments }: Play): Promise<void> {
  for (const { hotel, id, attempt } of payments) {
    if (payments.filter((each) => each.id === id).length < 2) continue;
    const read = world.merchant(hotel, `/v1/checkout-sessions/${id}`);
    await world.until([read]);
    const shown = (read.answer?.body?.attempts as Json[] | undefined)?.find(({ number }) => number === attempt);
    const total = minorOf((shown?.result as Json | null)?.total);
    if (!(total - minorOf(shown?.reversed) - minorOf(shown?.reversing) > 0)) continue;
    // The rest may be as much as another refund.
    const body = { payment: id, attempt, allowDuplicate: true };
    const reversal = world.merchant(hotel, '/v1/reversals', { key: `rest-${id}-${attempt}`, body });
    await world.until([reversal]);
    if (reversal.answer?.body?.code === 'not_reversible') {
      world.breaks('rest-reversible', `${id} refuses to refund the rest of attempt ${attempt}`);
    }
  }
}

/** What was paid after the last poll of its attempt is found when its session is read: the hotel reads it. */
async function readPaidLate({ world, seen }: Play): Promise<void> {
  const late = world.runtime.objectsOf('CHECKOUT_SESSIONS').filter((object) => {
    const { expiresAt = 0, attempts = [] } = JSON.parse(String(object.peek(RECORD)?.record ?? '{}')) as {
      expiresAt?: number;
      attempts?: readonly { readonly startedAt: number; readonly endedAt: number | null }[];
    };
    return world.hostedOf(object.name).some(({ number, phase, requestID }) => {
      const { startedAt = 0, endedAt = null } = attempts[number - 1] ?? {};
      return phase === 'done' && !world.paidInTime(requestID, { expiresAt, endedAt: endedAt ?? startedAt });
    });
  });
  const reads = late.map(({ name }) => world.merchant(seen.get(name)?.hotel ?? HOTELS[0], pathOf(name)));
  await world.until(reads);
  if (reads.length > 0) await world.pass(2 * MINUTE);
}

const DUPLICATE = 'checkout.duplicate_payment';
/** How long after its success a charge still keeps another one like it from being made. */
const TWIN_MS = 10 * MINUTE;

/** How late an event may come when nothing is in the way. */
const PROMPT_MS = 5_000;

/** Everything there is to know in the end. */
interface End {
  /** When the process was ended on purpose, with everything else at rest. */
  readonly restartedAt: number;
  /** By id. */
  readonly resources: ReadonlyMap<string, { readonly hotel: HotelName; readonly resource: Json }>;
  readonly events: Readonly<Record<HotelName, readonly Json[]>>;
  readonly lists: Readonly<Record<HotelName, ReadonlyMap<string, Json>>>;
  readonly audits: Readonly<Record<HotelName, readonly Json[]>>;
  /** What staff read: of everything, if it is on one page. */
  readonly payments: Readonly<Partial<Record<HotelName, Json>>>;
}

/** A page of the audit: a hotel that has more is not held against it. */
const AUDIT_PAGE = 100;

async function readEverything(play: Play): Promise<Omit<End, 'restartedAt'>> {
  const { world } = play;
  const ids = [...world.runtime.objectsOf('CHECKOUT_SESSIONS'), ...world.runtime.objectsOf('MONEY_OPERATIONS')].map(
    ({ name }) => name,
  );
  const reads = ids.flatMap((id) =>
    HOTELS.filter((hotel) => (play.seen.get(id)?.hotel ?? hotel) === hotel).map((hotel) => ({
      hotel,
      call: world.merchant(hotel, pathOf(id)),
    })),
  );
  // Of what was never made, no list is asked for: most histories make things of one kind, many for one hotel.
  const kinds = Object.keys(PATHS).filter((kind) => ids.some((id) => id.startsWith(`${kind}_`)));
  const listing = HOTELS.filter((hotel) => world.runtime.objectsOf('LEDGERS').some(({ name }) => name === hotel));
  const ask = (...paths: string[]) =>
    listing.flatMap((hotel) => paths.map((path) => ({ hotel, call: world.merchant(hotel, path) })));
  const lists = ask(...kinds.map((kind) => `/v1/${PATHS[kind]}?limit=100`));
  const feeds = ask('/v1/events?limit=100');
  const auditing = ask(`/v1/audit?limit=${AUDIT_PAGE}`);
  const [from, to] = [-29, 2].map((days) => new Date(world.scheduler.now + days * DAY).toISOString().slice(0, 10));
  const paying = ask(`/v1/payments?limit=100&from=${from}&to=${to}`);
  await world.until([...reads, ...lists, ...feeds, ...auditing, ...paying].map(({ call }) => call));
  const resources = new Map<string, { hotel: HotelName; resource: Json }>();
  for (const { hotel, call } of reads) {
    const { status, body = {} } = call.answer ?? {};
    if (status !== 200) continue;
    play.note(hotel, body);
    resources.set(String(body.id), { hotel, resource: body });
  }
  const listed = perHotel(() => new Map<string, Json>());
  for (const { hotel, call } of lists) {
    for (const item of itemsOf(call.answer?.body)) listed[hotel].set(String(item.id), item);
  }
  const itemsPerHotel = (asked: typeof feeds) =>
    perHotel((hotel) => itemsOf(asked.find((each) => each.hotel === hotel)?.call.answer?.body));
  const payments = Object.fromEntries(paying.map(({ hotel, call }) => [hotel, call.answer?.body]));
  return { resources, lists: listed, events: itemsPerHotel(feeds), audits: itemsPerHotel(auditing), payments };
}

function itemsOf(page: Json | undefined): Json[] {
  return Array.isArray(page?.data) ? (page.data as Json[]) : [];
}

function minorOf(money: unknown): number {
  return Number((money as { value?: unknown } | null)?.value ?? Number.NaN);
}

/** The requests of each charge and reversal, by id. */
function sendsById(sent: readonly Sent[]): Map<string, Sent[]> {
  const byId = new Map<string, Sent[]>();
  for (const each of sent) {
    const id = /^MONEY_OPERATIONS\/(.*)$/.exec(each.sender)?.[1];
    // Refused before anything was done: sent again with another token.
    if (id === undefined || each.status === 401 || each.status === 403) continue;
    byId.set(id, [...(byId.get(id) ?? []), each]);
  }
  return byId;
}

function checkMoney({ resources }: End, { world }: Play): void {
  const sends = sendsById(world.sent);
  for (const [id, mine] of sends) {
    if (mine.length > 1) world.breaks('sent-once', `${id} was sent ${mine.length} times`);
    if (!resources.has(id) && mine.some(({ booked }) => booked !== undefined)) {
      world.breaks('known', `${id} was booked and nobody knows of it`);
    }
  }
  for (const [id, { resource }] of resources) {
    if (id.startsWith('cs_')) continue;
    const { status, transactionId } = resource;
    const booked = sends.get(id)?.find((sent) => sent.booked !== undefined)?.booked;
    if (status === 'created' || status === 'sent') world.breaks('settles', `${id} is ${status} for ever`);
    if ((status === 'failed' || status === 'declined') && booked !== undefined) {
      world.breaks('moved-not-failed', `${id} is ${status}, booked was ${booked.transactionID}`);
    }
    if (status === 'succeeded' && booked === undefined)
      world.breaks('succeeded-moved', `${id} succeeded, nothing was booked`);
    if (status === 'succeeded' && booked !== undefined) {
      if (booked.transactionID !== transactionId) {
        world.breaks('succeeded-moved', `${id} names ${String(transactionId)}, booked was ${booked.transactionID}`);
      }
      if (booked.amount !== minorOf(resource.amount)) {
        world.breaks('succeeded-moved', `${id} says ${minorOf(resource.amount)}, booked were ${booked.amount}`);
      }
    }
  }
}

function checkSessions({ resources }: End, { world, sessions, isDisturbed }: Play): void {
  for (const [id, { resource }] of resources) {
    if (!id.startsWith('cs_')) continue;
    const { status, final } = resource;
    const hosted = world.hostedOf(id);
    if (status === 'open' || status === 'pending') world.breaks('settles', `${id} is ${status} for ever`);
    if (status === 'expired' && final !== true)
      world.breaks('expired-for-good', `${id} is expired, and never for good`);
    const paid = attemptsOf(resource).filter((attempt) => attempt.status === 'succeeded');
    const isAsPaid = paid.some(({ amount }) => minorOf(amount) === minorOf(resource.amount));
    if (resource.kind === 'payment' && paid.length > 0 && !isAsPaid)
      world.breaks('succeeded-moved', `${id} shows what none of its payments asked`);
    for (const attempt of attemptsOf(resource)) {
      checkAttempt(world, { attempt, session: resource, hosted });
    }
    for (const { number, charged } of hosted) {
      if (charged !== undefined && attemptsOf(resource)[number - 1] === undefined) {
        world.breaks('known', `attempt ${number} of ${id} was paid and nobody knows of it`);
      }
    }
  }
  // A clock that jumps lets a start arrive late, too.
  const hadFaults = world.injected.length > 0 || isDisturbed;
  for (const { session, call, expiresAt } of world.starts) {
    const known = sessions.find(({ id }) => id === session);
    const isLate = call.answer?.body.code === 'session_not_open';
    if (known === undefined || !isLate || known.isExpiredByHand || hadFaults) continue;
    const { status, startedAt } = resources.get(session)?.resource ?? {};
    if (status === 'expired' && startedAt === null && call.at < expiresAt - 1) {
      world.breaks('start-in-time', `${session} was started in time and refused`);
    }
  }
}

/** Holds one attempt against the payment service's books. */
function checkAttempt(
  world: World,
  { attempt, session, hosted: all }: { attempt: Json; session: Json; hosted: ReturnType<World['hostedOf']> },
): void {
  const { status } = attempt;
  const hosted = all.filter(({ number }) => number === attempt.number);
  const say = (rule: Rule, what: string): void =>
    world.breaks(rule, `attempt ${String(attempt.number)} of ${String(session.id)} is ${String(status)}, ${what}`);
  const paid = hosted.filter(({ charged }) => charged !== undefined);
  const charged = paid.map((each) => each.charged).join(' and ');
  const times = {
    expiresAt: Date.parse(String(session.expiresAt)),
    endedAt: Date.parse(String(attempt.endedAt ?? attempt.startedAt)),
  };
  const isSeen = paid.some(({ requestID }) => status !== 'abandoned' || world.paidInTime(requestID, times));
  if (isSeen && status !== 'succeeded' && status !== 'unknown') say('moved-not-failed', `the guest paid ${charged}`);
  if (status !== 'succeeded') return;
  if (session.kind === 'card') {
    if (!hosted.some(({ tokenNo }) => tokenNo !== null)) say('succeeded-moved', 'no card was stored');
    return;
  }
  const total = minorOf((attempt.result as Json | null)?.total);
  if (!paid.some((each) => each.charged === total)) say('succeeded-moved', `says ${total}, paid were ${charged}`);
}

/** What the key with a limit refunded on each day, by when it was asked for. */
function checkLimit({ resources }: End, { world }: Play): void {
  const sends = sendsById(world.sent);
  const days = new Map<string, number>();
  for (const [id, { resource }] of resources) {
    if (resource.object !== 'reversal' || (resource.by as Json).key !== STAFF_KEY.id) continue;
    const isFree = resource.status === 'declined' || resource.status === 'failed';
    const booked = sends.get(id)?.find((sent) => sent.booked !== undefined)?.booked?.amount ?? 0;
    const day = new Date(String(resource.createdAt)).toLocaleDateString('sv', { timeZone: 'Europe/Vienna' });
    days.set(day, (days.get(day) ?? 0) + (isFree ? booked : minorOf(resource.amount)));
  }
  for (const [day, given] of days) {
    if (given > STAFF_KEY.limit) world.breaks('limit-holds', `on ${day} ${given} of ${STAFF_KEY.limit} went back`);
  }
}

/** Holds the audit against what there is. */
function checkAudit({ resources, audits }: End, { world }: Play): void {
  for (const [id, { hotel, resource }] of resources) {
    if (audits[hotel].length === AUDIT_PAGE) continue;
    const resolved = [resource, ...attemptsOf(resource)].filter((each) => each.resolution != null).length;
    for (const [what, expected] of [
      ['created', 1],
      ['resolved', resolved],
    ] as const) {
      const count = audits[hotel].filter(
        (entry) => entry.resource === id && entry.action === `${String(resource.object)}.${what}`,
      ).length;
      if (count !== expected)
        world.breaks('audited-once', `${id} was ${what} ${expected} times, the audit says ${count}`);
    }
  }
}

function checkReversals({ resources }: End, { world, requests }: Play): void {
  for (const hotel of HOTELS) {
    const { charges, reversals } = world.sandboxes[hotel].control.ledger();
    for (const { transactionID, amount } of charges) {
      const given = reversals
        .filter(({ paymentTransactionID }) => paymentTransactionID === transactionID)
        .reduce((sum, reversal) => sum + reversal.amount, 0);
      if (given > amount)
        world.breaks('reversals-within-payment', `of ${transactionID} ${given} of ${amount} went back`);
    }
  }
  for (const { path, body, call } of requests) {
    const { id, attempt = body.attempt } = call.answer?.body ?? {};
    if (path === '/v1/reversals' && body.attempt !== undefined && attempt !== body.attempt) {
      world.breaks('shares-settled', `${String(id)} refunds attempt ${String(attempt)} instead`);
    }
  }
  for (const [id, { resource }] of resources) {
    const payments = resource.object === 'charge' ? [resource] : attemptsOf(resource);
    for (const { number = null, reversed, reversing } of payments.filter((each) => each.reversed != null)) {
      const sum = (status: string): number =>
        [...resources.values()]
          .filter(({ resource: { payment, attempt } }) => payment === id && attempt === number)
          .filter((each) => each.resource.status === status)
          .reduce((total, each) => total + minorOf(each.resource.amount), 0);
      const told = `${minorOf(reversed)} and ${minorOf(reversing)}`;
      const true_ = `${sum('succeeded')} and ${sum('unknown')}`;
      if (told === true_) continue;
      const what = `${id} ${number === null ? '' : `${String(number)} `}says reversed and reversing are ${told}, they are ${true_}`;
      world.breaks('shares-settled', what);
    }
  }
}

function checkFeed({ resources, events }: End, { world }: Play): void {
  for (const hotel of HOTELS) {
    const feed = events[hotel];
    const positions = feed.map(({ seq }) => seq).join();
    if (positions !== feed.map((_, nth) => nth + 1).join())
      world.breaks('feed-gap-free', `${hotel} counts ${positions}`);
    if (new Set(feed.map(({ id }) => id)).size !== feed.length)
      world.breaks('events-once', `${hotel} has an event twice`);
    for (const event of feed) {
      const { object } = event.data as { object: Json };
      if (!String(event.type).startsWith('webhook_endpoint.') && object.property !== hotel)
        world.breaks('hotels-apart', `${hotel} has an event of ${String(object.id)}`);
    }
    const told = new Map<string, Json[]>();
    for (const event of feed) {
      // What two sessions are told about comes with the version of one of them.
      if (String(event.type).startsWith('webhook_endpoint.') || namesTwo(event)) continue;
      const id = String((event.data as { object: Json }).object.id);
      told.set(id, [...(told.get(id) ?? []), event]);
    }
    for (const [id, { resource, hotel: owner }] of resources) {
      if (owner === hotel) checkTold(world, resource, told.get(id) ?? []);
    }
    const { webhooks } = world.settings[hotel];
    const healthy = webhooks.filter(({ url }, nth) => nth === 0 || world.isAlwaysFine(url));
    for (const { url } of healthy) {
      const accepted = new Set(
        world.deliveries.filter((each) => each.url === url && each.isAccepted).map(({ event }) => event.id),
      );
      for (const { id, type, data } of feed) {
        if (accepted.has(id)) continue;
        world.breaks(
          'delivered',
          `${url} never got ${String(type)} of ${String((data as { object: Json }).object.id)}`,
        );
      }
    }
  }
}

/** Whether an event tells of payments of two sessions. */
function namesTwo({ type, data }: Json): boolean {
  return type === DUPLICATE && new Set(paymentsOf(data as Json).map(({ payment }) => payment)).size > 1;
}

function paymentsOf({ duplicate }: Json): { payment: string; attempt: number }[] {
  return (duplicate as { payments: { payment: string; attempt: number }[] } | undefined)?.payments ?? [];
}

/** What was told of a resource, held against what it is. */
function checkTold(world: World, resource: Json, events: readonly Json[]): void {
  const say = (what: string, rule: Rule = 'events-once'): void =>
    world.breaks(rule, `${String(resource.id)} is ${String(resource.status)}, and ${what}`);
  const types = events.map(({ type }) => String(type));
  const versions = events.map(({ data }) => Number((data as { object: Json }).object.seq));
  if (versions.some((seq, nth) => seq <= (versions[nth - 1] ?? 0))) say(`its versions ${versions.join()} were told`);
  const isUnderWay = ['open', 'pending', 'created', 'sent'].includes(String(resource.status));
  if (resource.object !== 'checkout_session') {
    const ends = types.filter((type) => type.endsWith(`.${String(resource.status)}`));
    if (!isUnderWay && (ends.length !== 1 || types.at(-1) !== ends[0])) say(`${types.join() || 'nothing'} was told`);
    return;
  }
  let before: readonly Json[] = [];
  for (const { type, data, timestamp } of events) {
    const { attempts, final } = (data as { object: Json }).object as { attempts: readonly Json[]; final: boolean };
    const isNew = ({ status }: Json, nth: number): boolean =>
      TOLD_BY[String(status)] !== undefined && before[nth]?.status !== status;
    for (const { number, status } of attempts.filter(isNew)) {
      const isTold = TOLD_BY[String(status)]?.includes(String(type)) === true;
      if (!isTold) say(`that attempt ${String(number)} is ${String(status)} was told by ${String(type)}`);
    }
    // What a record says of an attempt in doubt may be told once more.
    const news = attempts.filter(
      (attempt, nth) => isNew(attempt, nth) || (attempt.status === 'unknown' && type === 'checkout.unknown'),
    );
    if (type !== 'checkout.expired' && news.length === 0) say(`${String(type)} tells nothing`);
    if (attempts.filter(isNew).length > 1) say('one event tells of the ends of two attempts');
    before = attempts;
    if (type !== 'checkout.expired' || !final) continue;
    const ends = attempts
      .filter(({ status }) => status === 'abandoned')
      .map(({ endedAt }) => Date.parse(String(endedAt)));
    if (Date.parse(String(timestamp)) < Math.max(0, ...ends) + DAY) say('was final too early', 'expired-for-good');
  }
  for (const [nth, { number, status }] of attemptsOf(resource).entries()) {
    // A second stored card is in the session; nobody has paid twice.
    const isSecondCard = resource.kind === 'card' && status === 'succeeded';
    const isTold = TOLD_BY[String(status)] === undefined || before[nth]?.status === status || isSecondCard;
    if (!isTold) say(`that attempt ${String(number)} is ${String(status)} was never told`);
  }
  const successes = types.filter((type) => type === 'checkout.succeeded').length;
  if (successes !== (resource.status === 'succeeded' ? 1 : 0)) say(`${successes} successes were told`);
  // An abandoned attempt may still turn out to be declined.
  const last = [events.at(-1), events.findLast(({ type }) => type === 'checkout.expired')].map(
    (event) => (event?.data as { object: Json } | undefined)?.object,
  );
  const isPublished = last.every((object) => object?.status === 'expired' && object.final === true);
  if (resource.status === 'expired' && !isPublished) say('that is not what was told last', 'expired-for-good');
}

/** The events that may tell what an attempt is. */
const TOLD_BY: Readonly<Record<string, readonly string[]>> = {
  succeeded: ['checkout.succeeded', DUPLICATE],
  unknown: ['checkout.unknown'],
  declined: ['checkout.attempt_failed'],
  canceled: ['checkout.attempt_failed'],
  failed: ['checkout.attempt_failed'],
};

function checkLists({ resources, lists }: End, { world }: Play): void {
  for (const hotel of HOTELS) {
    for (const [id, item] of lists[hotel]) {
      if (item.property !== hotel) world.breaks('hotels-apart', `${hotel} lists ${id}`);
    }
  }
  for (const [id, { hotel, resource }] of resources) {
    const item = lists[hotel].get(id);
    const summary = (from: Json | undefined): string =>
      JSON.stringify(
        [from, ...attemptsOf(from)].map((each) => [each?.status, minorOf(each?.reversed), minorOf(each?.reversing)]),
      );
    if (item === undefined || summary(item) !== summary(resource)) {
      world.breaks('lists-agree', `${id} is ${summary(resource)}, its list says ${summary(item)}`);
    }
  }
}

/** The line per payment, and the totals, held against the resources themselves. */
function checkPayments({ resources, payments }: End, { world }: Play): void {
  for (const hotel of HOTELS) {
    const page = payments[hotel];
    const own = [...resources.values()].filter((each) => each.hotel === hotel).map(({ resource }) => resource);
    const oldest = Math.min(...own.map(({ createdAt }) => Date.parse(String(createdAt))));
    if (page === undefined || page.nextCursor !== null || oldest < world.scheduler.now - 28 * DAY) continue;
    const shown = itemsOf(page).map(({ id, attempt, status, taken, reversed, reversing }) =>
      [id, attempt, status, minorOf(taken), minorOf(reversed), minorOf(reversing)].join(' '),
    );
    const expected = own.flatMap(linesOf);
    if (shown.toSorted().join() !== expected.toSorted().join()) {
      const what = `${hotel} has ${expected.toSorted().join()}, its list of payments ${shown.toSorted().join()}`;
      world.breaks('lists-agree', what);
    }
    const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0);
    const taken = own.flatMap((resource) => takenOf(resource).map(({ total }) => total));
    const given = own.filter(({ object, status }) => object === 'reversal' && status === 'succeeded');
    const totals = page.totals as Json[] | null;
    const [told, held] = [
      ['taken', 'reversed', 'net'].map((name) => sum((totals ?? []).map((each) => Number(each[name])))),
      [sum(taken), sum(given.map(({ amount }) => minorOf(amount)))],
    ];
    if (`${told}` !== `${[...held, (held[0] ?? 0) - (held[1] ?? 0)]}`) {
      world.breaks('lists-agree', `${hotel} took and refunded ${held}, its totals say ${told}`);
    }
  }
}

/** What was taken of a session or a charge: of a session by each attempt. */
function takenOf(resource: Json): { attempt: unknown; total: number; of: Json }[] {
  if (resource.object === 'charge' && resource.status === 'succeeded') {
    return [{ attempt: null, total: minorOf(resource.amount), of: resource }];
  }
  return attemptsOf(resource)
    .filter(({ status, result }) => status === 'succeeded' && (result as Json | null)?.kind === 'payment')
    .map((of) => ({ attempt: of.number, total: minorOf((of.result as Json).total), of }));
}

function linesOf(resource: Json): string[] {
  const { id, object } = resource;
  const isOnItsWay = resource.status === 'created' || resource.status === 'sent';
  const status = isOnItsWay ? 'pending' : resource.status;
  const bare = (attempt: unknown, state: unknown): string => [id, attempt, state, NaN, NaN, NaN].join(' ');
  // Any other one stands with its payment.
  if (object === 'reversal') return status === 'unknown' ? [bare(resource.attempt, status)] : [];
  const taken = takenOf(resource).map(({ attempt, total, of }) => {
    const [reversed, reversing] = [minorOf(of.reversed), minorOf(of.reversing)];
    const state = reversed === 0 ? 'succeeded' : reversed < total ? 'partly_reversed' : 'reversed';
    return [id, attempt, state, total, reversed, reversing].join(' ');
  });
  if (taken.length === 0) taken.push(bare(null, status));
  const doubtful = status === 'succeeded' ? attemptsOf(resource).filter((attempt) => attempt.status === 'unknown') : [];
  return [...taken, ...doubtful.map(({ number }) => bare(number, 'unknown'))];
}

function checkDuplicates({ resources, events }: End, { world, requests }: Play): void {
  const say = (what: string): void => world.breaks('duplicates-noticed', what);
  for (const hotel of HOTELS) {
    const told = events[hotel]
      .filter(({ type }) => type === DUPLICATE)
      .map(({ data }) => paymentsOf(data as Json).map(({ payment, attempt }) => `${payment} ${attempt}`));
    const timesTold = (names: readonly string[]): number =>
      told.filter((payments) => names.every((name) => payments.includes(name))).length;
    const firsts = new Map<string, string[]>();
    for (const [id, { resource, hotel: owner }] of resources) {
      if (owner !== hotel || resource.kind !== 'payment') continue;
      const [first, ...more] = attemptsOf(resource)
        .filter(({ status }) => status === 'succeeded')
        .sort((one, other) => Date.parse(String(one.endedAt)) - Date.parse(String(other.endedAt)))
        .map(({ number }) => `${id} ${String(number)}`);
      if (first === undefined) continue;
      for (const another of more) {
        const times = timesTold([first, another]);
        if (times !== 1) say(`${first} and ${another} were told ${times} times`);
      }
      // Of a payment that was refunded before the other one came, nobody has to know.
      const isKept = minorOf(resource.reversed) === 0;
      const reference = String(resource.reference);
      if (isKept) firsts.set(reference, [...(firsts.get(reference) ?? []), first]);
    }
    for (const [reference, payments] of firsts) {
      for (const [nth, one] of payments.entries()) {
        for (const other of payments.slice(nth + 1)) {
          if (timesTold([one, other]) !== 1) say(`${reference} was paid by ${one} and ${other}`);
        }
      }
    }
    checkTwins(world, hotel, { resources, events: events[hotel], requests });
  }
}

/** Charges with the same meaning under different keys. */
function checkTwins(
  world: World,
  hotel: HotelName,
  { resources, events, requests }: Pick<End, 'resources'> & Pick<Play, 'requests'> & { events: readonly Json[] },
): void {
  const sent = world.sent.filter((each) => each.operation === 'pay' && each.hotel === hotel);
  const charges = [...sendsById(sent)].flatMap(([id, [first]]) => {
    const resource = resources.get(id)?.resource;
    if (first === undefined || resource === undefined) return [];
    const decision = events.find(
      ({ type, data }) => (data as { object: Json }).object.id === id && !String(type).endsWith('.unknown'),
    );
    const decidedAt = decision === undefined ? Number.POSITIVE_INFINITY : Date.parse(String(decision.timestamp));
    const isAllowed = requests.some(
      ({ body, call }) => body.allowDuplicate === true && (call.answer?.body.id === id || call.answer?.status !== 201),
    );
    return [
      {
        id,
        meaning: JSON.stringify([resource.reference, resource.reason, minorOf(resource.amount)]),
        /** When the first request for it came; undefined when no answer names it. */
        askedAt: requests.filter(({ call }) => call.answer?.body.id === id).map(({ call }) => call.at)[0],
        sentAt: first.at,
        freeAt: decidedAt + (resource.status === 'succeeded' ? TWIN_MS : 0),
        isAllowed,
      },
    ];
  });
  charges.sort((left, right) => left.sentAt - right.sentAt);
  for (const [nth, first] of charges.entries()) {
    for (const second of charges.slice(nth + 1)) {
      if (first.meaning !== second.meaning || second.isAllowed) continue;
      // One that is allowed may overtake another, but stands in the way of whatever is asked for after it.
      if (first.isAllowed && !((second.askedAt ?? 0) > first.sentAt)) continue;
      if (second.sentAt < first.freeAt) {
        world.breaks('no-twin-charge', `${second.id} was sent while ${first.id} stood in its way`);
      }
    }
  }
}

/** What can be asked when nothing was in the way. */
function checkCalm({ events, restartedAt }: End, { world, requests }: Play): void {
  for (const hotel of HOTELS) {
    const [first] = world.settings[hotel].webhooks;
    for (const { id, type, timestamp } of events[hotel]) {
      // What sessions tell comes when they look, and that is seldom here.
      if (String(type).startsWith('checkout.')) continue;
      const delivery = world.deliveries.find(({ url, event }) => url === first?.url && event.id === id);
      const toldAt = Date.parse(String(timestamp));
      // The restart at the end disturbs what is under way: that is sent again once it counts as lost.
      if (toldAt <= restartedAt && toldAt > restartedAt - PROMPT_MS) continue;
      const lateMs = (delivery?.at ?? Number.POSITIVE_INFINITY) - toldAt;
      if (delivery !== undefined && lateMs > PROMPT_MS) {
        world.breaks('delivered-promptly', `${String(type)} came ${lateMs} ms late`);
      }
    }
  }
  for (const hotel of HOTELS) {
    for (const { type, timestamp, data } of events[hotel]) {
      if (type !== 'checkout.attempt_failed') continue;
      const { object } = data as { object: Json };
      const { id } = object;
      const toldAt = Date.parse(String(timestamp));
      const ended = attemptsOf(object).filter(
        (each) => Date.parse(String(each.endedAt)) === toldAt && !each.resolution,
      );
      for (const { requestID, scenario, number } of world.hostedOf(String(id))) {
        if (!ended.some((attempt) => attempt.number === number)) continue;
        if ((world.saidDoneAt.get(requestID) ?? toldAt) < toldAt) {
          world.breaks('done-outweighs', `${String(id)} was done, and then ${String(type)}`);
        }
        const isReadable = !['slow', 'finishes-late', 'record-late', 'bearer-expires'].includes(String(scenario));
        if (isReadable && world.showsMoneySince(requestID) < toldAt - 1_000) {
          world.breaks('record-before-failure', `${String(id)} was paid, and then ${String(type)}`);
        }
      }
    }
  }
  for (const line of world.internalErrors) world.breaks('no-internal-error', line);
  for (const { path, call } of requests) {
    if (call.answer?.body.code !== 'upstream_unavailable') continue;
    const recent = world.badReads.filter(({ at }) => at <= call.at && call.at - at < MINUTE);
    if (new Set(recent.map(({ requestID }) => requestID)).size < 2) {
      world.breaks('one-fault-is-no-outage', `a request to ${path} was refused for one bad read`);
    }
  }
}
