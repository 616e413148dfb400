/** A history as it is played: who did what, and what came of it so far. */
import {
  A_DAY,
  AWAY,
  CARDS,
  CHARGE_AMOUNTS,
  type Change,
  type Command,
  EXPIRES_S,
  FIRST_IN_DIRECTORY,
  HALF_AN_HOUR,
  type Of,
  REACHES,
  SESSION_AMOUNTS,
} from './commands.ts';
import { checkSeals, openBooks } from './directory-books.ts';
import { Operator } from './operator.ts';
import { FeedReader } from './platform-feed.ts';
import {
  CALM,
  CARD_TOKEN,
  type Call,
  DIRECTORY_HOTELS,
  HOTELS,
  type HotelName,
  type Json,
  STAFF_KEY,
  type World,
} from './world.ts';

/** How long somebody who does not wait lets a request run before the next thing happens. */
const HANG_UP_MS = 20;

/** What a page shows its guest. */
interface Shown {
  readonly terms: number;
  readonly amount: number | null;
  /** Undefined on a page that does not say. */
  readonly surcharge?: boolean;
}

/** A session that somebody has made. */
export interface KnownSession {
  readonly hotel: HotelName;
  readonly id: string;
  /** The key that it is the one session of. */
  readonly key: string | undefined;
  secret: string;
  expiresAt: number;
  /** What the guest's page shows, and the client secret that it was loaded with. */
  page?: { readonly secret: string; readonly shown: Shown };
  isExpiredByHand: boolean;
  /** Client secrets that an expiry by hand has ended. */
  readonly ended: Set<string>;
}

/** A page with a button that starts a session. */
interface Form {
  readonly path: string;
  readonly session: string;
  shown?: Shown | undefined;
  /** Its session was ended by hand. */
  isEnded?: boolean;
}

/** A request with an idempotency key. */
export interface KeyedRequest {
  readonly hotel: HotelName;
  readonly path: string;
  readonly key: string;
  readonly body: Json;
  readonly call: Call;
  /** Of another key than the hotel’s first. */
  readonly secret?: string | undefined;
}

/** What a history has led to so far. */
export class Play {
  readonly world: World;
  readonly sessions: KnownSession[] = [];
  readonly links: Form[] = [];
  readonly forms: Form[] = [];
  readonly pages: { readonly url: string; readonly session: string }[] = [];
  /** Charges, and attempts of sessions, that answered with success. */
  readonly payments: { readonly hotel: HotelName; readonly id: string; readonly attempt?: number }[] = [];
  readonly requests: KeyedRequest[] = [];
  /** Resources as they were last seen, by id. */
  readonly seen = new Map<string, { readonly hotel: HotelName; readonly resource: Json }>();
  readonly operator: Operator;
  /** Of the operator who looks after the directory. */
  readonly feed: FeedReader;
  /** Instants at which the deployment or its objects were disturbed from outside. */
  isDisturbed = false;
  /** What client secrets are made with was replaced. */
  #movedSecrets = false;
  #calls = new Set<Call>();
  #isOver = false;

  constructor(world: World) {
    this.world = world;
    this.operator = new Operator(world);
    this.feed = new FeedReader(world, 'summit');
  }

  async run(commands: readonly Command[]): Promise<void> {
    if (this.world.hasDirectory) await this.#addHotels();
    for (const command of commands) {
      this.world.tell(`${JSON.stringify(command)}`);
      await this.#run(command);
    }
    this.#isOver = true;
    await this.world.until([...this.#calls]);
  }

  /** Before any fault. */
  async #addHotels(): Promise<void> {
    const { faults } = this.world;
    this.world.faults = CALM;
    await this.operator.addHotels();
    this.world.faults = faults;
  }

  async #run(command: Command): Promise<void> {
    switch (command.do) {
      case 'charge':
        return this.#charge(command);
      case 'reverse':
        return this.#reverse(command);
      case 'session':
        return this.#session(command);
      case 'ensure':
        return this.#ensure(command);
      case 'start':
        return this.#start(command);
      case 'link':
        return this.#link(command.session);
      case 'startLink':
        return this.#startLink(command);
      case 'retry':
        return this.#submit(pick(this.forms, command.form), command);
      case 'guest':
        return this.#guest(command);
      case 'expire':
      case 'refresh':
      case 'read':
        return this.#manage(command.do, command.session);
      case 'resolve':
        return this.#resolve(command);
      case 'again':
        return this.#again(command);
      case 'list':
        return this.#list(command);
      case 'redeliver':
        return this.#redeliver(command);
      case 'stranger':
        return this.#stranger(command);
      case 'change':
        return this.#change(command);
      case 'sealing':
        return this.#sealing(command);
      case 'platformKeys':
        return this.#rotatePlatformKeys();
      case 'reach':
        this.isDisturbed = true;
        return this.world.setReach(at(REACHES, command.which));
      case 'feed':
        await this.feed.read();
        return new FeedReader(this.world, 'peak').read();
      case 'key':
        return this.#settle([this.operator.useKey(directoryHotel(command.which), command.age)], command.waits);
      case 'wait':
        return this.world.pass(command.seconds * 1_000);
      default:
        return this.#disturb(command);
    }
  }

  /** Remembers a resource that the worker has answered with. */
  note(hotel: HotelName, resource: Json): void {
    const id = String(resource.id ?? '');
    if (!/^(cs|ch|rv)_/.test(id)) return;
    const { world } = this;
    world.tell(`  ${hotel} sees ${id}: ${String(resource.status)}`);
    if (resource.property !== undefined && !this.#speaksFor(hotel, resource.property)) {
      world.breaks('hotels-apart', `${hotel} was shown ${id} of ${String(resource.property)}`);
    }
    const before = this.seen.get(id)?.resource;
    const isNewer = Number(resource.seq) >= Number(before?.seq);
    const moves: readonly (readonly [string, unknown, unknown])[] = [
      // Money that shows late, and a session that is opened anew, are the exceptions.
      ...(before?.final === true && before.status !== 'expired' ? [[id, before.status, resource.status] as const] : []),
      ...attemptsOf(before).map(
        (attempt, nth) => [`attempt ${nth + 1} of ${id}`, attempt.status, attemptsOf(resource)[nth]?.status] as const,
      ),
    ];
    for (const [what, from, to] of moves) {
      if (!isNewer || from === to || MAY_BECOME[String(from)]?.includes(String(to)) === true) continue;
      world.breaks('final-stays', `${what} was ${String(from)} and is ${String(to)}`);
    }
    const owner = HOTELS.find((each) => each === resource.property) ?? hotel;
    if (before === undefined || Number(resource.seq) >= Number(before.seq))
      this.seen.set(id, { hotel: owner, resource });
    const paid = (attempt?: number): void => {
      if (this.payments.some((payment) => payment.id === id && payment.attempt === attempt)) return;
      this.payments.push({ hotel, id, ...(attempt === undefined ? {} : { attempt }) });
    };
    if (resource.object === 'charge' && resource.status === 'succeeded') paid();
    for (const { status, number, amount } of attemptsOf(resource)) {
      if (status === 'succeeded' && amount !== null) paid(Number(number));
    }
  }

  /** Whether a hotel's server may be shown what is a hotel's: its own, or that of one to which its key may have gone. */
  #speaksFor(hotel: HotelName, property: unknown): boolean {
    const isTaker = DIRECTORY_HOTELS.includes(hotel) && [...this.operator.takers].some((taker) => taker === property);
    return property === hotel || isTaker;
  }

  async #settle(calls: readonly Call[], waits: boolean): Promise<void> {
    for (const call of calls) this.#calls.add(call);
    if (waits) await this.world.until(calls);
    // Somebody else may come at the very same moment.
    else if (this.world.scheduler.draw('wait limit') < 0.5) await this.world.pass(HANG_UP_MS);
    for (const call of calls) if (call.answer !== undefined) this.#calls.delete(call);
  }

  /** Notes the answers of calls once they are there, also of those nobody waits for. */
  #onAnswer(call: Call, take: (body: Json) => void, hotel?: HotelName): Call {
    this.world.onAnswer(call, () => {
      const { status, body } = call.answer ?? {};
      const owner = this.seen.get(String(body?.resource))?.hotel;
      if (hotel !== undefined && owner !== undefined && !this.#speaksFor(hotel, owner)) {
        this.world.breaks('hotels-apart', `${hotel} was told of ${String(body?.resource)} of ${owner}`);
      }
      this.world.tell(`  answered ${String(status)} ${String(body?.code ?? body?.status ?? '')}`);
      if (typeof status === 'number' && status >= 200 && status < 400) take(body ?? {});
    });
    return call;
  }

  /** A hotel for what has to be there first. */
  #firstHotel(which: number): number {
    return (which % 2) + (this.world.hasDirectory ? FIRST_IN_DIRECTORY : 0);
  }

  // ---- money -------------------------------------------------------------------------------------------------------

  async #charge(command: Of<'charge'>): Promise<void> {
    const hotel = hotelOf(command.hotel);
    const body = {
      token: CARD_TOKEN,
      tokenFrom: 'moto',
      amount: { value: at(CHARGE_AMOUNTS, command.amount), currency: 'EUR' },
      reference: `R${command.reference}`,
      reason: 'no_show',
      ...(command.allowDuplicate ? { allowDuplicate: true } : {}),
    };
    await this.#sendKeyed(hotel, '/v1/charges', { ...command, key: `k${command.key}`, body });
  }

  async #reverse(command: Of<'reverse'>): Promise<void> {
    if (this.payments.length === 0) await this.#charge({ ...FIRST_CHARGE, hotel: this.#firstHotel(command.payment) });
    const payment = pick(this.payments, command.payment);
    if (payment === undefined) return;
    const amount = command.part === 0 ? {} : { amount: { value: command.part * 100, currency: 'EUR' } };
    const { id, attempt } = payment;
    const isOneOfSome = this.payments.filter((each) => each.id === id).length > 1;
    const body = { payment: id, ...(isOneOfSome ? { attempt } : {}), ...amount };
    const secret = command.isLimited === true && payment.hotel === 'aurora' ? STAFF_KEY.secret : undefined;
    await this.#sendKeyed(payment.hotel, '/v1/reversals', { ...command, key: `r${command.key}`, body, secret });
  }

  async #sendKeyed(
    hotel: HotelName,
    path: string,
    how: { key: string; body: Json; copies: number; areTwins?: boolean; waits: boolean; secret?: string | undefined },
  ): Promise<void> {
    const calls = Array.from({ length: how.copies }, (_, nth) => {
      const key = how.areTwins === true && nth > 0 ? `${how.key}-${nth}` : how.key;
      const call = this.world.merchant(hotel, path, { ...how, key });
      this.requests.push({ hotel, path, key, body: how.body, secret: how.secret, call });
      return this.#onAnswer(call, (resource) => this.note(hotel, resource), hotel);
    });
    await this.#settle(calls, how.waits);
  }

  async #again({ request: which, isOther, isAtAlarm }: Of<'again'>): Promise<void> {
    const request = pick(this.requests, which);
    if (request === undefined) return;
    if (isAtAlarm) await this.#untilAlarm();
    const { hotel, path, key, secret } = request;
    const body = isOther
      ? { ...request.body, ...(path === '/v1/reversals' ? { amount: OTHER } : { reference: 'other' }) }
      : request.body;
    await this.#sendKeyed(hotel, path, { key, body, copies: 1, waits: true, secret });
  }

  /** Until the next alarm of a charge or a reversal is due, and has not run. */
  async #untilAlarm(): Promise<void> {
    const { world } = this;
    const { now } = world.scheduler;
    const alarms = world.runtime.objectsOf('MONEY_OPERATIONS').flatMap(({ store: { alarm } }) => alarm ?? []);
    const next = Math.min(...alarms.filter((alarm) => alarm > now && alarm < now + 3_600_000));
    if (!Number.isFinite(next)) return;
    await world.pass(next - now - 1);
    world.scheduler.jump(1);
  }

  // ---- sessions ----------------------------------------------------------------------------------------------------

  async #session(command: Of<'session'>): Promise<void> {
    const hotel = hotelOf(command.hotel);
    const body = sessionBody({ ...command, reference: `R${command.reference}` });
    const key = command.key === undefined ? undefined : `s${command.key}`;
    const calls = Array.from({ length: command.copies }, () => {
      const call = this.world.merchant(hotel, '/v1/checkout-sessions', { body, key });
      if (key !== undefined) this.requests.push({ hotel, path: '/v1/checkout-sessions', key, body, call });
      return this.#onAnswer(call, (resource) => this.#know(hotel, resource));
    });
    await this.#settle(calls, true);
  }

  async #ensure(command: Of<'ensure'>): Promise<void> {
    const hotel = hotelOf(command.hotel);
    const key = `B${command.key}`;
    const kind = command.key === 2 ? 'card' : 'payment';
    const body = sessionBody({ ...command, kind, reference: `R${command.key % 2}` });
    const calls = Array.from({ length: command.copies }, () => {
      const path = `/v1/checkout-sessions/by-key/${key}`;
      const call = this.world.merchant(hotel, path, { method: 'PUT', body });
      return this.#onAnswer(call, (resource) => this.#know(hotel, resource, key));
    });
    await this.#settle(calls, command.waits);
  }

  /** Remembers the session of an answer with a client secret, and holds it against those before. */
  #know(asker: HotelName, resource: Json, key?: string): void {
    this.note(asker, resource);
    const say = (what: string): void => this.world.breaks('one-session-per-key', what);
    const hotel = HOTELS.find((each) => each === resource.property) ?? asker;
    const id = String(resource.id);
    const secret = String(resource.clientSecret);
    const expiresAt = Date.parse(String(resource.expiresAt));
    const other = this.sessions.find((each) => each.hotel === hotel && each.key === key && key !== undefined);
    if (other !== undefined && other.id !== id) say(`${key} of ${hotel} is ${other.id} and ${id}`);
    const known = this.sessions.find((session) => session.id === id);
    if (known === undefined) {
      this.sessions.push({ hotel, id, key, secret, expiresAt, isExpiredByHand: false, ended: new Set() });
      return;
    }
    if (secret !== known.secret && !known.isExpiredByHand && !this.#movedSecrets) say(`${id} has two client secrets`);
    Object.assign(known, { secret, expiresAt });
  }

  /** The session that a command means; when there is none yet, one is made. */
  async #sessionOf(which: number): Promise<KnownSession | undefined> {
    if (this.sessions.length === 0) {
      const about = { hotel: this.#firstHotel(which), expires: which < 4 ? HALF_AN_HOUR : A_DAY };
      if (which % 2 === 0) await this.#session({ ...FIRST_SESSION, ...about });
      else await this.#ensure({ ...FIRST_ENSURED, ...about });
    }
    return pick(this.sessions, which);
  }

  async #start(command: Of<'start'>): Promise<void> {
    const session = await this.#sessionOf(command.session);
    if (session === undefined) return;
    if (session.page === undefined || command.isStale !== true) await this.#show(session);
    const { id, page } = session;
    if (page === undefined) return;
    const { secret, shown } = page;
    const left = session.expiresAt - this.world.scheduler.now - 40;
    if (command.isLast && left > 0 && left < 2 * 3_600_000) await this.world.pass(left);
    const calls = Array.from({ length: command.copies }, () => {
      const body = { presentation: 'redirect', terms: shown.terms };
      const call = this.#asGuest(session.hotel, secret, '/v1/checkout/start', body);
      return this.#onStart(call, { id, shown, isEnded: session.ended.has(secret) }, ({ viewUrl }) => String(viewUrl));
    });
    await this.#settle(calls, command.waits);
    // Something else is to be paid by now: the page shows it.
    if (calls.some(({ answer }) => answer?.body.code === 'terms_changed')) await this.#show(session);
  }

  #asGuest(hotel: HotelName, secret: string, path: string, body?: Json): Call {
    return this.world.ask(path, secret, { body, headers: { origin: `https://${hotel}.test` } });
  }

  /** The guest's page reads the session. */
  async #show(session: KnownSession): Promise<void> {
    const { hotel, secret } = session;
    const call = this.#asGuest(hotel, secret, '/v1/checkout');
    this.#onAnswer(call, ({ terms, amount, surcharge }) => {
      const shown = { terms: Number(terms), amount: minorOf(amount), surcharge: surcharge === true };
      session.page = { secret, shown };
    });
    await this.#settle([call], true);
  }

  /** Follows a start to the page that it leads to. */
  #onStart(
    call: Call,
    from: { id: string; shown: Shown | undefined; isEnded: boolean },
    urlOf: (body: Json) => string | null | undefined,
  ): Call {
    const { world } = this;
    const { id, shown, isEnded } = from;
    const { expiresAt = 0 } = this.sessions.find((session) => session.id === id) ?? {};
    world.starts.push({ session: id, call, expiresAt });
    return this.#onAnswer(call, (body) => {
      const url = urlOf(body);
      if (!url) return;
      if (isEnded) world.breaks('taken-back', `${id} was started by what somebody had ended`);
      const asked = world.askedFor(url);
      const isAsShown = asked.amount === shown?.amount && asked.surcharge === (shown.surcharge ?? asked.surcharge);
      if (shown !== undefined && !isAsShown)
        world.breaks('price-as-shown', `${id} showed ${JSON.stringify(shown)} and asks ${JSON.stringify(asked)}`);
      world.guestSeenAt.set(url, world.scheduler.now);
      if (!this.pages.some((page) => page.url === url)) this.pages.push({ url, session: id });
    });
  }

  async #link(which: number): Promise<void> {
    const session = await this.#sessionOf(which);
    if (session === undefined) return;
    const call = this.world.merchant(session.hotel, `/v1/checkout-sessions/${session.id}/link`, { body: {} });
    this.#onAnswer(call, ({ url }) => {
      this.links.push({ path: new URL(String(url)).pathname, session: session.id });
    });
    await this.#settle([call], true);
  }

  async #startLink(command: Of<'startLink'>): Promise<void> {
    if (this.links.length === 0) await this.#link(command.link);
    const link = pick(this.links, command.link);
    if (link === undefined) return;
    if (link.shown === undefined || command.isStale !== true) {
      const page = this.world.send(link.path, {});
      this.#onAnswer(page, () => {
        link.shown = shownOn(page.answer?.text ?? '') ?? link.shown;
      });
      await this.#settle([page], true);
    }
    await this.#submit(link, command);
  }

  async #submit(form: Form | undefined, how: { readonly copies: number; readonly waits: boolean }): Promise<void> {
    if (form === undefined) return;
    const { world } = this;
    const { path, session: id, shown, isEnded = false } = form;
    const calls = Array.from({ length: how.copies }, () => {
      const call = world.send(`${path}?terms=${shown?.terms ?? 1}`, { method: 'POST' });
      return this.#onStart(call, { id, shown, isEnded }, () => {
        const url = call.answer?.headers.get('location');
        const silence = world.scheduler.now - (world.guestSeenAt.get(url ?? '') ?? world.scheduler.now);
        if (url && silence > 62 * 60_000 && this.pages.some((page) => page.url === url) && !world.hasActed(url)) {
          world.breaks(
            'link-goes-on',
            `a form led to the same page again after ${Math.round(silence / 60_000)} minutes`,
          );
        }
        return url;
      });
    });
    await this.#settle(calls, how.waits);
  }

  async #guest(command: Of<'guest'>): Promise<void> {
    if (this.pages.length === 0) await this.#start({ ...FIRST_START, session: command.page });
    const page = pick(this.pages, command.page);
    if (page === undefined) return;
    const { world } = this;
    const { act } = command;
    const how = { cardNumber: at(CARDS, command.card), falseErrorMs: act === 'pay' ? command.falseErrorS * 1_000 : 0 };
    if (act !== 'leave') await world.actOnPage(page.url, { act, ...how });
    if (command.returns === 'no') return;
    const address = world.returnAddress(page.url, command.returns === 'abort' ? 'abort' : 'success');
    if (address === undefined) return;
    world.guestSeenAt.set(page.url, world.scheduler.now);
    const visits = Array.from({ length: command.returns === 'twice' ? 2 : 1 }, () => world.send(address, {}));
    await this.#settle(visits, true);
    const shown = shownOn(visits[0]?.answer?.text ?? '');
    if (shown === undefined) return;
    this.forms.push({ path: address.replace(/[^/]*$/, 'start'), session: page.session, shown });
  }

  async #manage(act: 'expire' | 'refresh' | 'read', which: number): Promise<void> {
    const session = pick(this.sessions, which);
    if (session === undefined) return;
    const { hotel, id, secret } = session;
    if (act === 'expire') session.isExpiredByHand = true;
    const links = this.links.filter((link) => link.session === id);
    const [path, how] = act === 'read' ? [pathOf(id), {}] : [`${pathOf(id)}/${act}`, { body: {} }];
    const call = this.world.merchant(hotel, path, how);
    this.#onAnswer(call, (resource) => {
      this.note(hotel, resource);
      if (act !== 'expire') return;
      session.ended.add(secret);
      for (const link of links) link.isEnded = true;
    });
    await this.#settle([call], this.world.scheduler.draw('wait limit') < 0.7);
  }

  /** A person looks up what really happened to something unknown, and says so. */
  async #resolve({ which, copies }: Of<'resolve'>): Promise<void> {
    const unknown = [...this.seen].flatMap(([id, { hotel, resource }]) => {
      const outcomes = id.startsWith('cs_') ? attemptsOf(resource) : [{ status: resource.status }];
      return outcomes
        .filter(({ status }) => status === 'unknown')
        .map(({ number }: Json) => ({ id, hotel, attempt: number === undefined ? undefined : Number(number) }));
    });
    const found = pick(unknown, which);
    if (found === undefined) return;
    const { id, hotel, attempt } = found;
    // A request that is on its way yet is no evidence.
    await this.world.pass(5_000);
    const truth = this.world.truthOf(id, attempt);
    if (truth === undefined) return;
    const body = { evidence: 'seen in the acquirer’s books', ...(attempt === undefined ? {} : { attempt }), ...truth };
    const calls = Array.from({ length: copies }, () => {
      const call = this.world.merchant(hotel, `${pathOf(id)}/resolve`, { body });
      return this.#onAnswer(call, (resource) => this.note(hotel, resource));
    });
    await this.#settle(calls, this.world.scheduler.draw('wait limit') < 0.7);
  }

  // ---- lists -------------------------------------------------------------------------------------------------------

  async #list({ hotel: which, kind }: Of<'list'>): Promise<void> {
    const hotel = hotelOf(which);
    const call = this.world.merchant(hotel, `/v1/${at(Object.values(PATHS), kind)}?limit=3`);
    this.#onAnswer(call, (page) => {
      for (const item of page.data as Json[]) {
        if (this.#speaksFor(hotel, item.property)) continue;
        this.world.breaks('hotels-apart', `${hotel} lists ${String(item.id)}`);
      }
    });
    await this.#settle([call], true);
  }

  async #redeliver({ hotel: which, event }: Of<'redeliver'>): Promise<void> {
    const hotel = hotelOf(which);
    const known = this.world.deliveries.filter((delivery) => delivery.hotel === hotel);
    const id = pick(known, event)?.event.id;
    if (id === undefined) return;
    await this.#settle([this.world.merchant(hotel, `/v1/events/${String(id)}/redeliver`, { body: {} })], true);
  }

  /** One hotel asks for what belongs to the other. */
  async #stranger({ hotel: which, which: nth }: Of<'stranger'>): Promise<void> {
    const hotel = hotelOf(which);
    if (this.world.hasDirectory) await this.#operatorOutside(hotel);
    const others = [...this.seen].filter(([, seen]) => !this.#speaksFor(hotel, seen.hotel));
    const id = pick(others, nth)?.[0];
    if (id === undefined) return;
    const calls = [this.world.merchant(hotel, pathOf(id))];
    if (!id.startsWith('rv_')) {
      calls.push(this.world.merchant(hotel, '/v1/reversals', { key: `x${nth}`, body: { payment: id } }));
    }
    await this.#settle(calls, true);
    for (const { answer } of calls) {
      if (typeof answer?.status === 'number' && answer.status < 300) {
        this.world.breaks('hotels-apart', `${hotel} reached ${id}: ${answer.status}`);
      }
    }
  }

  // ---- the directory -----------------------------------------------------------------------------------------------

  async #change(command: Of<'change'>): Promise<void> {
    const { which, change, copies, isStale, waits, later } = command;
    // Nothing else makes a call end badly.
    if (/password/i.test(change)) this.isDisturbed = true;
    const order = { hotel: directoryHotel(which), change, copies, isStale };
    if (later > 0) {
      this.world.scheduler.afterEvents(later, () => {
        if (!this.#isOver) void this.operator.change({ ...order, waits: false });
      });
      return;
    }
    await this.operator.change({ ...order, waits });
    if (!waits) await this.world.pass(HANG_UP_MS);
  }

  async #sealing({ reseals, drops }: Of<'sealing'>): Promise<void> {
    const { world, operator } = this;
    this.isDisturbed = true;
    this.#movedSecrets = true;
    operator.rotateSealingKeys();
    if (reseals) await operator.reseal();
    if (!drops || !operator.dropOlderSealingKeys()) return;
    checkSeals(world, openBooks(world));
  }

  /** From the moment of the deployment on, the key before is nobody's. */
  async #rotatePlatformKeys(): Promise<void> {
    const { world } = this;
    this.isDisturbed = true;
    const ended = world.rotatePlatformKeys();
    const calls = DIRECTORY_HOTELS.map((hotel) => world.actFor(hotel, '/v1/charges?limit=1', ended));
    await this.#settle(calls, true);
    for (const { answer } of calls) {
      if (answer?.status === 401 || answer?.status === 'lost') continue;
      world.breaks('revoked-key-ends', `the key before of the operator was answered ${String(answer?.status)}`);
    }
  }

  /** The operator asks for a hotel that is not one of its own. */
  async #operatorOutside(hotel: HotelName): Promise<void> {
    if (DIRECTORY_HOTELS.includes(hotel)) return;
    const call = this.world.actFor(hotel, '/v1/charges?limit=1');
    await this.#settle([call], true);
    const { status } = call.answer ?? {};
    if (status === 'lost' || Number(status) >= 400) return;
    this.world.breaks('hotels-apart', `the operator acted for ${hotel}: ${String(status)}`);
  }

  // ---- disturbances ------------------------------------------------------------------------------------------------

  async #disturb(command: Of<keyof typeof AWAY | 'endpoint' | 'crash' | 'clock' | 'configure'>): Promise<void> {
    const { world } = this;
    if (command.do === 'endpoint') {
      const { url } = at(world.settings[hotelOf(command.hotel)].webhooks, 1);
      world.setEndpoint(url, command.kind);
      return;
    }
    this.isDisturbed = true;
    if ('seconds' in command) world.awayUntil.set(AWAY[command.do], world.scheduler.now + command.seconds * 1_000);
    else if (command.do === 'crash') world.restart('crash');
    else if (command.do === 'clock') world.scheduler.jump(45_000);
    else this.#configure(hotelOf(command.hotel), command.change);
  }

  #configure(hotel: HotelName, change: Change): void {
    const { world } = this;
    const settings = world.settings[hotel];
    if (change === 'password' || change === 'passwordForgotten') {
      this.#movedSecrets = true;
      world.changePassword(hotel, change === 'password');
      world.applySettings(`new password of ${hotel}`);
      return;
    }
    if (change === 'break' || change === 'repair') settings.isBroken = change === 'break';
    else if (change === 'origins')
      settings.origins =
        settings.origins.length > 1 ? settings.origins.slice(0, 1) : [...settings.origins, 'https://other.test'];
    else if (change === 'webhookUrl') {
      const [first, second] = settings.webhooks;
      if (first !== undefined && second !== undefined) {
        settings.webhooks = [
          first,
          // Never back to an address that was there before: it would not get what came meanwhile.
          { ...second, url: `${second.url}x` },
        ];
      }
    }
    world.applySettings(`${change} ${hotel}`);
  }
}

/** What is made for a command that needs something when there is nothing yet. */
const FIRST_CHARGE = {
  do: 'charge',
  reference: 0,
  amount: 0,
  key: 0,
  allowDuplicate: false,
  copies: 1,
  areTwins: false,
  waits: true,
} as const;
const FIRST_SESSION = {
  do: 'session',
  reference: 0,
  kind: 'payment',
  amount: 0,
  surcharge: false,
  key: undefined,
  copies: 1,
} as const;
const FIRST_START = { do: 'start', copies: 1, waits: true, isLast: false, isStale: false } as const;
const FIRST_ENSURED = { do: 'ensure', key: 0, amount: 0, surcharge: false, copies: 1, waits: true } as const;

/** What an attempt may turn out to be once it has ended, or is in doubt. */
const LATE = ['succeeded', 'unknown'];
const MAY_BECOME: Readonly<Record<string, readonly string[]>> = {
  pending: ['succeeded', 'unknown', 'declined', 'canceled', 'failed', 'abandoned'],
  abandoned: ['succeeded', 'unknown', 'declined', 'canceled', 'failed'],
  unknown: ['succeeded', 'failed'],
  declined: LATE,
  canceled: LATE,
  failed: LATE,
};

/** What a page of the proxy's own offers to pay; undefined without a button. */
function shownOn(html: string): Shown | undefined {
  const terms = /\?terms=(\d+)"/.exec(html)?.[1];
  if (terms === undefined) return undefined;
  const amount = /<dd>€([\d,]+\.\d\d)</.exec(html)?.[1]?.replace(/\D/g, '');
  return { terms: Number(terms), amount: amount === undefined ? null : Number(amount) };
}

function sessionBody(how: {
  readonly kind: 'payment' | 'card';
  readonly reference: string;
  readonly amount: number;
  readonly surcharge: boolean;
  readonly expires: number;
}): Json {
  const { kind, reference, surcharge } = how;
  const amount = { value: at(SESSION_AMOUNTS, how.amount), currency: 'EUR' };
  const expiresInSeconds = at(EXPIRES_S, how.expires);
  return { kind, reference, expiresInSeconds, ...(kind === 'card' ? {} : { amount, surcharge }) };
}

/** Where each kind of resource is, by the beginning of its ids. */
export const PATHS: Readonly<Record<string, string>> = { cs: 'checkout-sessions', ch: 'charges', rv: 'reversals' };

export function pathOf(id: string): string {
  return `/v1/${PATHS[id.slice(0, 2)]}/${id}`;
}

export function attemptsOf(resource: Json | undefined): Json[] {
  return Array.isArray(resource?.attempts) ? (resource.attempts as Json[]) : [];
}

/** Minor units; null where there is no amount. */
function minorOf(money: unknown): number | null {
  return (money as { readonly value: number } | null)?.value ?? null;
}

const OTHER = { value: 100, currency: 'EUR' };

function directoryHotel(index: number): HotelName {
  return at(DIRECTORY_HOTELS, index);
}

function hotelOf(index: number): HotelName {
  return at(HOTELS, index);
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('Nothing to choose from');
  return item;
}

function pick<Item>(items: readonly Item[], index: number): Item | undefined {
  return items.length === 0 ? undefined : items[index % items.length];
}
