/**
 * One simulated world: the real worker and its objects, hotels of secrets and of the directory, a sandbox for each as
 * their payment service, the hotels' webhook endpoints, and everything that can go wrong between them. A seed decides all
 * of it.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { AnswerLostError, createSandbox, type HostedView, type Sandbox } from '@innkeep/sandbox';
import { hotelAt, SANDBOX_LOGIN, storeCard } from '../support/sandbox-hotel.ts';
import type { Rule, Violation } from './rules.ts';
import { enterWorld, installGlobals } from './runtime/globals.ts';
import { forgetModuleMemory } from './runtime/load.ts';
import { type Host, type ObjectClass, ObjectRuntime, resetError, type StoredObject } from './runtime/objects.ts';
import { endParty, newParty, type Party, runAs, runOutside } from './runtime/party.ts';
import { Scheduler } from './runtime/scheduler.ts';

export type Json = Record<string, unknown>;

/** How likely each kind of fault is, between 0 and 1. */
export interface Faults {
  /** An object crashes at a commit or at an exchange. */
  readonly crash: number;
  /** A message between objects, or its answer, never arrives. */
  readonly rpcLost: number;
  /** A message between objects takes its time: up to three minutes, and others overtake it. */
  readonly rpcSlow: number;
  /** A request to the payment service, or its answer, never arrives. */
  readonly netLost: number;
  /** The payment service takes longer than anybody waits. */
  readonly netSlow: number;
  /** An idle object is evicted. */
  readonly evict: number;
  /** A commit takes a while, and what comes next has to wait for it. */
  readonly slowDisk: number;
  /** An alarm comes late. */
  readonly lateAlarm: number;
  /** What happens for certain, by the name that a timeline gives it: `rpcLost MONEY_OPERATIONS/ch1.reserveReversal answer #1`. */
  readonly certain?: readonly string[];
}

type FaultKind = Exclude<keyof Faults, 'certain'>;

export const CALM: Faults = {
  crash: 0,
  rpcLost: 0,
  rpcSlow: 0,
  netLost: 0,
  netSlow: 0,
  evict: 0,
  slowDisk: 0,
  lateAlarm: 0,
};

/** The hotels: two whose configuration is a secret of the deployment, and two of the directory. */
export const HOTELS = ['aurora', 'borealis', 'cedar', 'dune'] as const;

/** Those that an operator adds through the API, in a history that is about them. */
export const DIRECTORY_HOTELS: readonly HotelName[] = ['cedar', 'dune'];
export type HotelName = (typeof HOTELS)[number];

export const ENDPOINT_KINDS = [
  'fine',
  'slow',
  'hanging',
  'failing',
  'gone',
  'redirecting',
  'flapping',
  'lost',
] as const;
export type EndpointKind = (typeof ENDPOINT_KINDS)[number];

export interface Delivery {
  readonly hotel: HotelName;
  readonly url: string;
  readonly event: Json;
  readonly at: number;
  readonly isAccepted: boolean;
}

/** One request that reached the payment service and moves money or opens a page. */
export interface Sent {
  readonly hotel: HotelName;
  readonly operation: string;
  readonly origin: string;
  /** The object that sent it: binding and name. */
  readonly sender: string;
  readonly body: Json;
  readonly at: number;
  /** HTTP status; undefined while there is no answer, or when it was lost. */
  status?: number;
  /** Whether the sender is still waiting. */
  isInFlight: boolean;
  /** What the payment service booked for it: id of a charge or of a reversal, and how much. */
  booked?: { readonly transactionID: string; readonly amount: number };
  /** Id of the hosted request that it opened. */
  requestID?: string;
}

/** An answer of the worker; `lost` when there was none. */
export interface Answer {
  readonly status: number | 'lost';
  readonly headers: Headers;
  readonly body: Json;
  readonly text: string;
}

/** A request of a merchant or a guest under way. */
export interface Call {
  answer?: Answer;
  readonly at: number;
  answeredAt?: number;
  /** How many calls had been answered when it was sent, and up to its own answer: the order of what happens at one instant. */
  readonly answersBefore: number;
  answeredNth?: number;
  /** Told once there is an answer. */
  onAnswer?: () => void;
}

export interface Start {
  readonly session: string;
  readonly call: Call;
  /** When the session was to expire, as far as its hotel knew then. */
  readonly expiresAt: number;
}

/** What a session's object has stored, as far as the world reads it. */
interface StoredSession {
  readonly id: string;
  readonly state: string;
  readonly closed: object | null;
  readonly terms: { readonly version: number };
  readonly attempts: readonly {
    readonly number: number;
    readonly status: string;
    readonly hosted: { readonly requestID: string };
    readonly since: number;
    readonly watch: {
      readonly doneSeenAt: number | null;
      readonly successReturnAt?: number | null;
      readonly returnedAt: number | null;
      readonly refusal?: string;
    };
    readonly resolution: object | null;
  }[];
}

/** A merchant's call of a hotel of the directory. */
export interface KeyUse {
  readonly hotel: HotelName;
  /** Undefined: the operator acted for the hotel. */
  readonly key: string | undefined;
  readonly call: Call;
}

/** The operators: one looks after the hotels of the directory, the other one reads the events of those that it is told to. */
export const PLATFORMS = ['summit', 'peak'] as const;
export type PlatformName = (typeof PLATFORMS)[number];

export interface PlatformReach {
  readonly scopes: readonly string[];
  /** Ids of hotels, and beginnings of ids with `*` behind them. */
  readonly properties: readonly string[];
}

/** What can be away for a while: every call of such an object fails. */
export type AwayBinding = 'LEDGERS' | 'DIRECTORIES' | 'PROPERTIES' | 'FEEDS';

/** A hotel's settings that a history can change. Of a hotel of the directory: what they should be. */
export interface HotelSettings {
  password: string;
  previousPassword?: string;
  isBroken: boolean;
  /** It has another address of its payment service. */
  isMoved: boolean;
  origins: string[];
  webhooks: { url: string; secret: string }[];
}

/** When every world begins. */
const START = Date.parse('2026-09-01T08:00:00Z');
const PROXY = 'https://proxy.test';
const MINUTE = 60_000;

const WORKER = new URL('../../packages/edge-proxy/src/worker.ts', import.meta.url).href;

interface WorkerModule {
  readonly default: { fetch(request: Request, env: unknown, ctx: unknown): Response | Promise<Response> };
  readonly [name: string]: unknown;
}

const BINDINGS = {
  ACCESS_TOKENS: 'AccessTokenObject',
  CHECKOUT_SESSIONS: 'CheckoutSessionObject',
  MONEY_OPERATIONS: 'MoneyOperationObject',
  LEDGERS: 'LedgerObject',
  ID_KEYS: 'IdKeyObject',
  PROPERTIES: 'PropertyObject',
  DIRECTORIES: 'PropertyDirectoryObject',
  FEEDS: 'PlatformFeedObject',
} as const;

/** The worker and what every world starts from; loaded once per process. */
type Prepared = Awaited<ReturnType<typeof load>>;

let prepared: Promise<Prepared> | undefined;
let nowOfWorld: () => number = () => START;

/** Loads the worker and prepares the sandboxes. The hooks of `runtime/load.ts`, or aliases, must be in place. */
export function prepare(): Promise<Prepared> {
  prepared ??= load();
  return prepared;
}

async function load() {
  installGlobals();
  const worker = (await import(WORKER)) as WorkerModule;
  const sandboxOf = (hotel: HotelName): Sandbox =>
    createSandbox({
      seed: hotel,
      now: () => new Date(nowOfWorld()),
      baseUrl: upstreamUrl(hotel),
      slowAnswerMs: 3_000,
      limits: { requests: 1 },
    });
  const sandboxes = perHotel(sandboxOf);
  const cards = perHotel(() => '');
  for (const hotel of HOTELS) cards[hotel] = await storeCard(sandboxes[hotel]);
  const states = perHotel((hotel) => sandboxes[hotel].save());
  return { worker, sandboxes, states, cards };
}

function upstreamUrl(hotel: HotelName, isMoved = false): string {
  return `https://${isMoved ? 'pay2' : 'pay'}.${hotel}.test`;
}

/** Something for each hotel. */
export function perHotel<Thing>(make: (hotel: HotelName) => Thing): Record<HotelName, Thing> {
  const [aurora, borealis, cedar, dune] = HOTELS;
  return { aurora: make(aurora), borealis: make(borealis), cedar: make(cedar), dune: make(dune) };
}

/** A stored card's token: the same text at both hotels, so that their requests can be the same to the byte. */
export const CARD_TOKEN = 'a-stored-card';

/** The merchant key of a hotel at first. */
function merchantKey(hotel: HotelName): string {
  return `sk_test_${hotel}`;
}

/** The key of a hotel’s staff, which may refund only so much a day: a part of one charge. */
export const STAFF_KEY = { id: 'staff', secret: 'sk_test_staff', limit: 4_500 };

/** What an operator may do at first. */
const REACHES: Readonly<Record<PlatformName, PlatformReach>> = {
  summit: {
    scopes: ['properties', 'read', 'checkout', 'charges', 'reversals', 'resolutions', 'tokens', 'events', 'audit'],
    properties: DIRECTORY_HOTELS,
  },
  peak: { scopes: ['events'], properties: ['aurora', 'c*'] },
};

/** One world. Make it, use it, close it: one at a time in a process. */
export class World {
  readonly scheduler: Scheduler;
  readonly runtime: ObjectRuntime;
  readonly deliveries: Delivery[] = [];
  readonly sent: Sent[] = [];
  /** What happened, for people. */
  readonly timeline: string[] = [];
  /** Faults that happened, by name; a shrinker takes them away one by one. */
  readonly injected: string[] = [];
  /** Statements against the rules, found while the world runs. */
  readonly violations: Violation[] = [];
  /** When a session was first told that its hosted request is done. */
  readonly saidDoneAt = new Map<string, number>();
  /** What the worker printed about internal errors. */
  readonly internalErrors: string[] = [];
  /** Looks at a hosted request that brought nothing readable. */
  readonly badReads: { readonly requestID: string; readonly at: number }[] = [];
  readonly sandboxes: Readonly<Record<HotelName, Sandbox>>;
  faults: Faults;
  /** Faults that are kept from happening. */
  readonly #suppressed: ReadonlySet<string>;
  /** Until when objects of a kind cannot be reached. */
  readonly awayUntil = new Map<AwayBinding, number>();
  /** Whether the deployment has an operator and keys of its own to seal with. */
  readonly hasDirectory: boolean;
  /** The keys that seal, the newest first. */
  sealingKeys: readonly string[] = [];
  /** All that ever did, the newest first. */
  readonly everySealingKey: string[] = [];
  /** What the key of each operator is for. */
  readonly reaches: Record<PlatformName, PlatformReach> = { ...REACHES };
  /** Hotels whose events an operator was ever meant to read. */
  readonly everRead: Readonly<Record<PlatformName, Set<HotelName>>> = { summit: new Set(), peak: new Set() };
  /** The key that each hotel's server has. */
  readonly merchantKeys: Record<HotelName, string> = perHotel(merchantKey);
  /** Calls of the hotels of the directory. */
  readonly keyUses: KeyUse[] = [];
  readonly starts: Start[] = [];
  readonly settings: Record<HotelName, HotelSettings>;
  readonly #endpoints = new Map<string, EndpointKind>();
  readonly #everFailing = new Set<string>();
  /** When the guest of a page was last seen: sent there, or coming back from it. */
  readonly guestSeenAt = new Map<string, number>();
  readonly #paidAt = new Map<string, number>();
  /** What the payment services call the one card that both hotels have stored. */
  readonly #cards: Readonly<Record<HotelName, string>>;
  readonly #worker: WorkerModule;
  readonly #revoked = new Set<string>();
  /** Hosted requests whose guest has not acted: their status is 0 without asking the sandbox. */
  readonly #untouched = new Set<string>();
  /** Hosted requests that say error until an instant, whatever is true. */
  readonly #falseErrors = new Map<string, number>();
  /** Those whose record says so, too. */
  readonly #falseRecords = new Set<string>();
  #front: Party;
  #fronts = 0;
  #passwords = 0;
  #platformKeys = 0;
  #answers = 0;
  #env: Json = {};
  /** Whether a launcher has started the process, which nothing but a crash shows. */
  #isLaunched = false;
  /** That of the isolate which serves the operator: what it knows at once, the others have to be told. */
  #operatorEnv: Json = {};
  readonly #names = new Map<string, string>();
  readonly #isTold: boolean;

  constructor(
    given: Prepared,
    options: {
      seed: number;
      faults?: Partial<Faults>;
      suppress?: readonly string[];
      isTold?: boolean;
      hasDirectory?: boolean;
    },
  ) {
    this.scheduler = new Scheduler(options.seed, START);
    this.faults = { ...CALM, ...options.faults };
    this.#suppressed = new Set(options.suppress);
    this.#isTold = options.isTold ?? false;
    this.hasDirectory = options.hasDirectory ?? false;
    if (this.hasDirectory) this.#addSealingKey();
    this.#worker = given.worker;
    this.#cards = given.cards;
    this.sandboxes = given.sandboxes;
    nowOfWorld = () => this.scheduler.now;
    for (const hotel of HOTELS) given.sandboxes[hotel].restore(given.states[hotel]);
    forgetModuleMemory();
    enterWorld(this);
    this.runtime = new ObjectRuntime(this.#host());
    for (const [binding, name] of Object.entries(BINDINGS)) {
      // Classes that the worker's entry exports.
      this.#env[binding] = this.runtime.namespace(binding, given.worker[name] as ObjectClass);
    }
    this.settings = perHotel(newSettings);
    this.#front = newParty('worker');
    this.applySettings('start');
    if (!this.#isTold) return;
    this.scheduler.onEvent = ({ label }) => {
      if (label !== 'timer' && label !== 'crypto') this.tell(`        · ${label}`);
    };
  }

  close(): void {
    this.runtime.close();
    this.#front.isAlive = false;
    enterWorld(undefined);
  }

  // ---- telling ---------------------------------------------------------------------------------------------------

  breaks(rule: Rule, what: string): void {
    this.violations.push({ rule, what });
  }

  tell(line: string): void {
    if (!this.#isTold) return;
    const seconds = ((this.scheduler.now - START) / 1_000).toFixed(3).padStart(11);
    this.timeline.push(`${seconds}  ${this.#short(line)}`);
  }

  /** Ids as people read them: `ch1`, `cs2`. */
  #short(line: string): string {
    return line.replace(/\b(cs|ch|rv|ev|at)_([0-9A-HJKMNP-TV-Z]{26}|[0-9a-f]{64})/g, (id, prefix: string) => {
      let name = this.#names.get(id);
      if (name === undefined) {
        name = `${prefix}${[...this.#names.values()].filter((each) => each.startsWith(prefix)).length + 1}`;
        this.#names.set(id, name);
      }
      return name;
    });
  }

  /** Whether a fault happens now: by its likelihood and its own series of numbers, unless it is suppressed. */
  #happens(kind: FaultKind, where: string): boolean {
    const { [kind]: likelihood, certain } = this.faults;
    if (likelihood === 0 && certain === undefined) return false;
    const series = `${kind} ${this.#short(where)}`;
    const isLikely = this.scheduler.draw(series) < likelihood;
    const name = `${series} #${this.scheduler.drawn(series)}`;
    if (!isLikely && certain?.includes(name) !== true) return false;
    if (this.#suppressed.has(name)) return false;
    this.injected.push(name);
    this.tell(`      ! ${name}`);
    return true;
  }

  // ---- the runtime's open questions --------------------------------------------------------------------------------

  #host(): Host {
    return {
      now: () => this.scheduler.now,
      at: (time, label, run) => {
        const happening = this.scheduler.at(time, label, run);
        return () => {
          happening.isCanceled = true;
        };
      },
      carry: (label, arrive, lose) => this.#carry(label, arrive, lose),
      commit: (object, flush) => this.#commit(object, flush),
      evicts: (label) => this.#happens('evict', label),
      alarmTime: (label, time) => this.#alarmTime(label, time),
      repeatsAlarm: (label) => this.#happens('crash', `after alarm of ${label}`),
    };
  }

  #carry(label: string, arrive: () => void, lose: (reason: Error) => void): void {
    const isAnswer = label.endsWith(' answer');
    const awayUntil = this.awayUntil.get(label.split('/', 1)[0] as AwayBinding) ?? 0;
    if (!isAnswer && this.scheduler.now < awayUntil) {
      this.scheduler.at(this.scheduler.now + 500, `${label} away`, () => lose(new Error('Network connection lost.')));
      return;
    }
    if (this.#happens('rpcLost', label)) {
      this.scheduler.at(this.scheduler.now + 5, `${label} lost`, () => lose(new Error('Network connection lost.')));
      return;
    }
    const delay = this.#happens('rpcSlow', label) ? Math.ceil(this.scheduler.draw('rpc delay') ** 3 * 3 * MINUTE) : 0;
    this.scheduler.at(this.scheduler.now + delay, label, arrive);
  }

  #commit(object: StoredObject, flush: () => void): void {
    const { label } = object;
    if (this.#happens('crash', `before commit of ${label}`)) {
      object.end(resetError());
      return;
    }
    const end = (): void => {
      flush();
      if (this.#happens('crash', `after commit of ${label}`)) object.end(resetError());
    };
    const delay = this.#happens('slowDisk', label) ? Math.floor(this.scheduler.draw('disk') * 50) : undefined;
    if (delay === undefined) end();
    else this.scheduler.at(this.scheduler.now + delay, `${label} commit`, end);
  }

  #alarmTime(label: string, time: number): number {
    if (!this.#happens('lateAlarm', label)) return time;
    return Math.max(time, this.scheduler.now) + Math.ceil(this.scheduler.draw('alarm delay') ** 2 * 2 * MINUTE);
  }

  // ---- changes of the deployment -----------------------------------------------------------------------------------

  /** Deploys the present settings: every instance ends, and the next ones see them. */
  applySettings(why: string): void {
    this.tell(`deploy: ${why}`);
    const env: Json = { PUBLIC_URL: PROXY, ASSETS: { fetch: readAsset } };
    for (const binding of Object.keys(BINDINGS)) env[binding] = this.#env[binding];
    for (const hotel of HOTELS) {
      if (DIRECTORY_HOTELS.includes(hotel)) continue;
      const name = `PROPERTY_${hotel.toUpperCase()}`;
      env[name] = JSON.stringify(propertyConfiguration(hotel, this.settings[hotel]));
    }
    if (this.hasDirectory) {
      env.SEALING_KEYS = this.sealingKeys.join(' ');
      for (const platform of PLATFORMS) {
        env[`PLATFORM_${platform.toUpperCase()}`] = this.#platformConfiguration(platform);
        for (const hotel of HOTELS) if (this.readsEventsOf(platform, hotel)) this.everRead[platform].add(hotel);
      }
    }
    this.#env = env;
    this.restart('deployed');
  }

  /** Deploys a new key to seal with, in front of the others. */
  rotateSealingKeys(): void {
    this.#addSealingKey();
    this.applySettings('new sealing key');
  }

  dropOlderSealingKeys(): void {
    this.sealingKeys = this.sealingKeys.slice(0, 1);
    this.applySettings('older sealing keys taken out');
  }

  #addSealingKey(): void {
    this.everySealingKey.unshift(Buffer.alloc(32, this.everySealingKey.length + 1).toString('base64'));
    this.sealingKeys = [...this.everySealingKey.slice(0, 1), ...this.sealingKeys];
  }

  // ---- operators ---------------------------------------------------------------------------------------------------

  /** The key that an operator's server has. */
  platformKey(platform: PlatformName): string {
    return `pk_test_${platform}_${`p${this.#platformKeys}`.padStart(40, 'p')}`;
  }

  /** Deploys other keys of the operators. Returns the one of the first operator that ends. */
  rotatePlatformKeys(): string {
    const ended = this.platformKey('summit');
    this.#platformKeys += 1;
    this.applySettings('new platform keys');
    return ended;
  }

  /** Deploys another reach of the operator who reads. */
  setReach(reach: PlatformReach): void {
    this.reaches.peak = reach;
    this.applySettings(`peak may ${reach.scopes.join()} of ${reach.properties.join()}`);
  }

  /** Whether an operator may read the events of a hotel now. */
  readsEventsOf(platform: PlatformName, hotel: HotelName): boolean {
    const { scopes, properties } = this.reaches[platform];
    const isCovered = properties.some((pattern) => pattern === hotel || pattern === '*' || pattern === `${hotel[0]}*`);
    return scopes.includes('events') && isCovered;
  }

  #platformConfiguration(platform: PlatformName): string {
    const sha256 = createHash('sha256').update(this.platformKey(platform)).digest('hex');
    return JSON.stringify({ displayName: platform, keys: [{ id: 'all', sha256, ...this.reaches[platform] }] });
  }

  /** The process dies: what is in memory is gone, every caller loses its answer. */
  restart(why: string): void {
    this.tell(`process ends: ${why}`);
    endParty(this.#front, resetError());
    this.#front = newParty(`worker ${++this.#fronts}`);
    forgetModuleMemory();
    // A launcher starts it again: it moves what is overdue, and has said so ever since.
    const { now } = this.scheduler;
    this.#isLaunched ||= why === 'crash';
    // What is kept for an environment ends with it. The objects may be in another place than the worker in front.
    this.#env = { ...this.#env, ...(this.#isLaunched && { STARTED_AT: String(now) }) };
    this.#operatorEnv = { ...this.#env };
    this.runtime.env = { ...this.#env };
    const isMoved = (at: number): boolean =>
      why === 'crash' && at <= now + MINUTE && this.scheduler.draw('alarm moved') < 0.5;
    this.runtime.restart((at) => (isMoved(at) ? now + Math.floor(this.scheduler.draw('moved by') * 5 * MINUTE) : at));
  }

  /** The payment service has a new password for a hotel; tokens of the old one stop working. */
  changePassword(hotel: HotelName, keepsPrevious: boolean): void {
    const settings = this.settings[hotel];
    settings.previousPassword = settings.password;
    settings.password = `password-${hotel}-${this.#fronts}-${++this.#passwords}`;
    if (!keepsPrevious) delete settings.previousPassword;
    for (const { hotel: owner, token } of this.#tokens) if (owner === hotel) this.#revoked.add(token);
  }

  setEndpoint(url: string, kind: EndpointKind): void {
    this.#endpoints.set(url, kind);
    if (kind !== 'fine') this.#everFailing.add(url);
  }

  /** Something stood between the proxy and an endpoint: it cannot be asked to have everything. */
  excuseEndpoint(url: string): void {
    this.#everFailing.add(url);
  }

  /** Whether an endpoint took everything at once, from the beginning. */
  isAlwaysFine(url: string): boolean {
    return !this.#everFailing.has(url) && !url.endsWith('x');
  }

  /** Since when the record of a hosted request shows that the guest has paid. */
  showsMoneySince(requestID: string): number {
    const paidAt = this.#paidAt.get(requestID) ?? Number.POSITIVE_INFINITY;
    return Math.max(paidAt, this.#falseRecords.has(requestID) ? (this.#falseErrors.get(requestID) ?? 0) : 0);
  }

  /** Whether a hosted request was paid while its attempt was watched: for a day from its end, and as long as its session lives. */
  paidInTime(
    requestID: string,
    { expiresAt, endedAt }: { readonly expiresAt: number; readonly endedAt: number },
  ): boolean {
    const paidAt = this.#paidAt.get(requestID);
    return paidAt !== undefined && paidAt < Math.max(expiresAt, endedAt + 24 * 60 * MINUTE) - MINUTE;
  }

  endpointKind(url: string): EndpointKind {
    return this.#endpoints.get(url) ?? 'fine';
  }

  // ---- callers -----------------------------------------------------------------------------------------------------

  /** Sends a request to the worker. The answer is in the returned call once there is one. */
  send(path: string, init: RequestInit): Call {
    const call: Call = { at: this.scheduler.now, answersBefore: this.#answers };
    const party = this.#front;
    const request = new Request(`${PROXY}${path}`, { redirect: 'manual', ...init });
    const end = (answer: Answer): void => {
      if (call.answer !== undefined) return;
      party.onEnd.delete(lose);
      call.answer = answer;
      call.answeredAt = this.scheduler.now;
      call.answeredNth = ++this.#answers;
      call.onAnswer?.();
    };
    const lose = (): void => end({ status: 'lost', headers: new Headers(), body: {}, text: '' });
    party.onEnd.add(lose);
    runAs(party, async () => {
      const env = path.startsWith('/v1/properties/') ? this.#operatorEnv : this.#env;
      const response = await this.#worker.default.fetch(request, env, { waitUntil: () => undefined });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') === true;
      if (party.isAlive) {
        const body = isJson ? (JSON.parse(text) as Json) : {};
        end({ status: response.status, headers: response.headers, body, text });
      }
    }).catch((error: unknown) => {
      this.breaks('no-internal-error', `the worker threw on ${path}: ${String(error)}`);
      lose();
    });
    return call;
  }

  /** A call with a key or a client secret: by POST with a body, and GET without one. */
  ask(
    path: string,
    bearer: string,
    { method, body, headers }: { method?: string; body?: unknown; headers?: Readonly<Record<string, string>> } = {},
  ): Call {
    const type = body !== undefined && { 'content-type': 'application/json' };
    return this.send(path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { authorization: `Bearer ${bearer}`, ...type, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  merchant(
    hotel: HotelName,
    path: string,
    options: { body?: unknown; key?: string | undefined; secret?: string | undefined; method?: string } = {},
  ): Call {
    const isInDirectory = DIRECTORY_HOTELS.includes(hotel);
    const isOperator = isInDirectory && options.secret === undefined && this.scheduler.draw('operator') < 0.2;
    const secret = isOperator ? this.platformKey('summit') : (options.secret ?? this.merchantKeys[hotel]);
    const { key } = options;
    const headers = {
      ...(isOperator && { 'innkeep-property': hotel }),
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    const call = this.ask(path, secret, { ...options, headers });
    if (isInDirectory) this.keyUses.push({ hotel, key: isOperator ? undefined : secret, call });
    return call;
  }

  /** A call of the operator who looks after the directory, with one of its keys, for any hotel. */
  actFor(hotel: HotelName, path: string, key: string = this.platformKey('summit')): Call {
    return this.ask(path, key, { headers: { 'innkeep-property': hotel } });
  }

  /** An operator asks for what is new in its feed. */
  readFeed(platform: PlatformName, after: number): Call {
    return this.ask(`/v1/platform/events?after=${after}&limit=4`, this.platformKey(platform));
  }

  /** The operator's call about the hotels of the directory. */
  operator(
    path: string,
    { method, body, version }: { method: string; body?: unknown; version?: number | '*' | undefined },
  ): Call {
    const headers = version === undefined ? {} : { 'if-match': version === '*' ? '*' : `"${version}"` };
    return this.ask(`/v1/properties/${path}`, this.platformKey('summit'), { method, body, headers });
  }

  /** Has a function called once a call is answered. */
  onAnswer(call: Call, take: () => void): void {
    if (call.answer === undefined) call.onAnswer = take;
    else take();
  }

  /** Lets the world go on until calls are answered, or so long that nobody waits any more. */
  async until(calls: readonly Call[], limitMs = 2 * MINUTE): Promise<void> {
    await this.scheduler.run(this.scheduler.now + limitMs, () => calls.every(({ answer }) => answer !== undefined));
  }

  async pass(ms: number): Promise<void> {
    await this.scheduler.run(this.scheduler.now + ms);
  }

  // ---- the world around ----------------------------------------------------------------------------------------------

  print(level: string, line: unknown, sender: Party | undefined): void {
    // The worker's one line about a request that ended badly.
    if (String(line).includes('"code":"internal"')) this.internalErrors.push(String(line));
    // Whatever was in the way: two of its writers did not know of each other.
    if (/ moved on from version /.test(String(line))) this.breaks('no-internal-error', String(line));
    if (level === 'error' || level === 'warn') this.tell(`    ${sender?.name ?? ''} printed ${String(line)}`);
  }

  /** Nothing that moves money relies on a runtime that holds it back until it is written down. */
  leavesAtOnce({ url }: Request): boolean {
    return /\/(pay|reversal)$/.test(new URL(url).pathname);
  }

  /** Answers what the worker and its objects send out. */
  fetch(request: Request, sender: Party | undefined): Promise<Response> {
    return runOutside(() => this.#exchange(request, sender));
  }

  async #exchange(request: Request, sender: Party | undefined): Promise<Response> {
    const url = new URL(request.url);
    const name = sender?.name ?? 'nobody';
    const hotel = HOTELS.find((each) => url.hostname.endsWith(`${each}.test`));
    if (hotel === undefined) throw new TypeError('fetch failed');
    const isWebhook = url.hostname.startsWith('hooks.');
    const what = isWebhook ? `webhook ${url.hostname}` : `${url.pathname.split('/').at(-1)} ${hotel}`;
    if (this.#crashes(sender, `before ${what}`)) return never();
    const init = /\/init[^/]*$/.test(url.pathname) ? sender : undefined;
    if (init !== undefined) {
      this.#beginInit(init);
      request.signal.addEventListener('abort', () => this.#endInit(init));
    }
    await this.#travel();
    if (isWebhook) return this.#receiveWebhook(hotel, request);
    try {
      return await this.#callService(hotel, { request, url, name, what, sender });
    } finally {
      if (init !== undefined) this.#endInit(init);
    }
  }

  async #callService(
    hotel: HotelName,
    on: { request: Request; url: URL; name: string; what: string; sender: Party | undefined },
  ): Promise<Response> {
    const { url, name, what, sender } = on;
    if (this.#happens('netLost', `request ${what}`)) throw connectionLost();
    const isHanging = this.#happens('netSlow', what);
    const response = await this.#callUpstream(hotel, on);
    this.tell(`    ${name} → ${what}: ${typeof response === 'string' ? response : response.status}`);
    const requestID = url.searchParams.get('requestid') ?? '';
    const said = this.#untouched.has(requestID) ? undefined : await readingOf(url, response);
    if (said === 'unreadable') this.badReads.push({ requestID, at: this.scheduler.now });
    if (isHanging) await this.#wait(20_000 + this.scheduler.draw('hang') * 100_000);
    await this.#travel();
    if (typeof response === 'string' || this.#happens('netLost', `answer ${what}`)) throw connectionLost();
    this.#crashes(sender, `after ${what}`);
    if (said === 'done' && !this.saidDoneAt.has(requestID)) this.saidDoneAt.set(requestID, this.scheduler.now);
    if (said !== 'unreadable' && response.ok) {
      this.#answeredAt.set(`${url.pathname.split('/').at(-1)} ${requestID}`, this.scheduler.now);
    }
    return response;
  }

  // ---- attempts ----------------------------------------------------------------------------------------------------

  /** What is known of each session when an init leaves, by the instance that waits for its answer. */
  readonly #inits = new Map<Party, StoredSession | undefined>();
  /** When a hosted request was last answered for, by what was asked. */
  readonly #answeredAt = new Map<string, number>();

  #storedSession({ name }: Party): StoredSession | undefined {
    const record = this.runtime
      .object('CHECKOUT_SESSIONS', name.replace(/^.*\//, ''))
      .peek("SELECT json_extract(body, '$.record') AS record FROM object");
    return record === undefined ? undefined : (JSON.parse(String(record.record)) as StoredSession);
  }

  #beginInit(sender: Party): void {
    const say = (rule: Rule, what: string): void => this.breaks(rule, `${sender.name} ${what}`);
    if (this.#inits.has(sender)) say('one-attempt', 'opens a page while another one is being opened');
    const session = this.#storedSession(sender);
    this.#inits.set(sender, session);
    if (session === undefined) return;
    const { attempts, closed, state } = session;
    if (closed !== null || attempts.some(({ status }) => status === 'pending')) {
      say('one-attempt', `opens a page while it is ${state}`);
    }
    const askedAt = Math.min(...this.#startsUnderWay(session.id));
    for (const { number, status, since, hosted, watch, resolution } of attempts) {
      const isDone = watch.doneSeenAt !== null || (this.injected.length === 0 && this.saidDoneAt.has(hosted.requestID));
      if (isDone && resolution === null) say('asked-before-next', `was told that attempt ${number} is done`);
      const cameBackAt = watch.successReturnAt ?? 0;
      const mayLag = status !== 'abandoned' && resolution === null && watch.refusal !== 'declined';
      const believedUntil = mayLag
        ? cameBackAt + 15 * MINUTE
        : status === 'abandoned'
          ? Math.max(since, watch.returnedAt ?? 0) + 24 * 60 * MINUTE
          : 0;
      if (cameBackAt > 0 && cameBackAt < askedAt && this.scheduler.now < believedUntil) {
        say('asked-before-next', `opens a page although the guest of attempt ${number} came back as having paid`);
      }
      if (status !== 'abandoned' && number !== attempts.length) continue;
      if (status !== 'abandoned' && this.scheduler.now >= Math.max(since, watch.returnedAt ?? 0) + 24 * 60 * MINUTE)
        continue;
      const asked = watch.doneSeenAt === null ? ['paystatus', 'transaction'] : ['transaction'];
      const answers = asked.map((operation) => this.#answeredAt.get(`${operation} ${hosted.requestID}`) ?? 0);
      if (Math.min(...answers) >= askedAt) continue;
      say('asked-before-next', `has no answer about attempt ${number}, which is ${status}`);
    }
  }

  #endInit(sender: Party): void {
    const before = this.#inits.get(sender);
    if (!this.#inits.delete(sender) || before === undefined || !sender.isAlive) return;
    const { closed, terms, state } = this.#storedSession(sender) ?? before;
    if (state === 'succeeded' || state === 'unknown') return;
    if (closed === null && terms.version === before.terms.version) return;
    const what = closed === null ? 'changed' : 'closed';
    this.breaks('one-attempt', `${sender.name} was ${what} while a page was being opened`);
  }

  /** Since when guests have been starting a session. A call whose answer is bad or lost may be under way yet, for minutes. */
  #startsUnderWay(session: string): number[] {
    const isOver = ({ at, answer }: Call): boolean =>
      answer !== undefined && (Number(answer.status) < 500 || at < this.scheduler.now - 5 * MINUTE);
    return this.starts.flatMap(({ session: id, call }) => (id === session && !isOver(call) ? [call.at] : []));
  }

  #crashes(sender: Party | undefined, where: string): boolean {
    if (sender === undefined || !sender.name.includes('/')) return false;
    if (!this.#happens('crash', `${where} of ${sender.name}`)) return false;
    const [binding = '', name = ''] = sender.name.split('/');
    this.runtime.object(binding, name).end(resetError());
    return true;
  }

  #travel(): Promise<void> {
    return this.#wait(1 + Math.floor(this.scheduler.draw('travel') ** 2 * 200));
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.scheduler.at(this.scheduler.now + ms, 'timer', resolve));
  }

  async #callUpstream(
    hotel: HotelName,
    { request, url, name }: { request: Request; url: URL; name: string },
  ): Promise<Response | 'lost'> {
    const operation = url.pathname.split('/').at(-1) ?? '';
    const sandbox = this.sandboxes[hotel];
    const requestID = url.searchParams.get('requestid') ?? '';
    const token = request.headers.get('authorization') ?? '';
    if (operation !== 'login' && this.#revoked.has(token)) return Response.json({}, { status: 401 });
    if (operation === 'paystatus' && this.#untouched.has(requestID)) return Response.json({ state: 0 });
    const errorUntil = this.#falseErrors.get(requestID) ?? 0;
    if (this.scheduler.now < errorUntil) {
      if (operation === 'paystatus') return Response.json({ state: 2, result: 'ERROR=Unknown%20error' });
      // The record may be right while the status is not.
      if (operation === 'transaction' && this.#falseRecords.has(requestID)) {
        return Response.json({ requestID, operation: 'initpayNoIframe', status: '_error', returnCode: '5' });
      }
    }
    const text = request.method === 'POST' ? await request.text() : undefined;
    let body = text === undefined ? {} : (JSON.parse(text) as Json);
    if (operation === 'login') {
      if (body.password !== this.settings[hotel].password) return Response.json({}, { status: 401 });
      body = { ...body, password: SANDBOX_LOGIN.password };
    }
    if (operation === 'pay') body = { ...body, tokenNo: this.#cards[hotel] };
    const { origin } = url;
    const sent: Sent = { hotel, operation, origin, sender: name, body, at: this.scheduler.now, isInFlight: true };
    const isWatched = operation !== 'login' && request.method === 'POST';
    if (isWatched) {
      const home = this.#tokens.find((each) => each.token === token)?.origin ?? origin;
      if (home !== origin) this.breaks('token-at-home', `${name} sent a token of ${home} to ${origin}`);
      this.sent.push(sent);
      const { signal } = request;
      signal.addEventListener('abort', () => {
        sent.isInFlight = false;
      });
    }
    let answeredID: string | undefined;
    try {
      const response = await sandbox.fetch(request.url, {
        method: request.method,
        headers: { authorization: token, 'content-type': 'application/json' },
        ...(text === undefined ? {} : { body: JSON.stringify(body) }),
      });
      sent.status = response.status;
      if (operation === 'pay' || operation === 'reversal') answeredID = await textIn(response, 'transactionID');
      if (operation === 'login')
        this.#tokens.push({ hotel, origin, token: `Bearer ${await textIn(response, 'access_token')}` });
      return response;
    } catch (error) {
      if (error instanceof AnswerLostError) return 'lost';
      throw error;
    } finally {
      sent.isInFlight = false;
      if (isWatched) this.#noteBooking(sandbox, sent, answeredID);
    }
  }

  /** Tokens handed out so far: a new password ends those of the old one. */
  readonly #tokens: { readonly hotel: HotelName; readonly origin: string; readonly token: string }[] = [];

  /** Finds what the sandbox has booked for a request: what its answer names, or else the newest that is nobody's yet. */
  #noteBooking(sandbox: Sandbox, sent: Sent, answeredID: string | undefined): void {
    const { charges, reversals, hosted } = sandbox.control.ledger();
    if (sent.operation.startsWith('init')) {
      const opened = hosted.findLast(({ cardInfoRefID }) => cardInfoRefID === sent.body.cardInfoRefID);
      if (opened === undefined || this.sent.some(({ requestID }) => requestID === opened.requestID)) return;
      sent.requestID = opened.requestID;
      this.#untouched.add(opened.requestID);
      return;
    }
    const isFree = ({ transactionID }: { transactionID: string }): boolean =>
      answeredID === undefined
        ? this.sent.every((each) => each.hotel !== sent.hotel || each.booked?.transactionID !== transactionID)
        : transactionID === answeredID;
    const booked =
      sent.operation === 'pay'
        ? charges.findLast((charge) => charge.via === 'pay' && charge.text === sent.body.text && isFree(charge))
        : reversals.findLast(
            (reversal) =>
              reversal.paymentTransactionID === sent.body.transactionID &&
              reversal.amount === Number(sent.body.amount) &&
              isFree(reversal),
          );
    if (booked === undefined) return;
    const { transactionID, amount } = booked;
    sent.booked = { transactionID, amount };
  }

  async #receiveWebhook(hotel: HotelName, request: Request): Promise<Response> {
    const kind = this.endpointKind(request.url);
    const isUp = kind !== 'flapping' || this.scheduler.draw('flap') < 0.4;
    const isAccepted = kind === 'fine' || kind === 'slow' || (kind === 'flapping' && isUp) || kind === 'lost';
    const event = (await request.json()) as Json;
    this.deliveries.push({ hotel, url: request.url, event, at: this.scheduler.now, isAccepted });
    if (this.#isTold) this.tell(`    webhook ${new URL(request.url).hostname} (${kind}): ${String(event.type)}`);
    if (kind === 'slow') await this.#wait(3_000 + this.scheduler.draw('slow') * 9_000);
    if (kind === 'hanging') await this.#wait(60_000);
    if (kind === 'lost' && this.scheduler.draw('lost') < 0.5) throw connectionLost();
    if (kind === 'redirecting')
      return new Response(null, { status: 307, headers: { location: 'https://elsewhere.test/' } });
    return new Response(null, { status: kind === 'gone' ? 410 : isAccepted ? 204 : 500 });
  }

  /** The guest does something on a hosted page. Returns the address that the page leads to, if it does. */
  async actOnPage(
    viewUrl: string,
    how: { readonly act: 'pay' | 'decline' | 'cancel'; readonly cardNumber: string; readonly falseErrorMs: number },
  ): Promise<string | undefined> {
    const found = this.#hostedAt(viewUrl);
    if (found === undefined) return undefined;
    const { hotel, requestID } = found;
    // From now on the sandbox is asked.
    this.#untouched.delete(requestID);
    const isFirst = !this.#paidAt.has(requestID);
    if (how.falseErrorMs > 0 && isFirst) {
      this.#falseErrors.set(requestID, this.scheduler.now + how.falseErrorMs);
      if (this.scheduler.draw('falseRecord') < 0.6) this.#falseRecords.add(requestID);
    }
    const post = (form: Readonly<Record<string, string>>): Promise<Response | undefined> =>
      // An answer that gets lost changes nothing of what happened.
      runOutside(() => this.sandboxes[hotel].fetch(viewUrl, { method: 'POST', body: new URLSearchParams(form) })).catch(
        () => undefined,
      );
    const act = async (): Promise<Response | undefined> => {
      if (how.act !== 'pay') return post({ action: how.act });
      const answer = await post({ cardNumber: how.cardNumber, cardholder: 'A Guest', expiry: '12/30', cvc: '123' });
      // Either a question about the surcharge, or a page that says how it ended.
      return answer?.status === 200 ? post({ action: 'confirm' }) : answer;
    };
    let hasActed = false;
    let location: string | null | undefined;
    act().then((answer) => {
      hasActed = true;
      location = answer?.headers.get('location');
    });
    const actedAt = this.scheduler.now;
    await this.scheduler.run(this.scheduler.now + MINUTE, () => hasActed);
    const { charges } = this.sandboxes[hotel].control.ledger();
    if (isFirst && charges.some((charge) => charge.requestID === requestID)) this.#paidAt.set(requestID, actedAt);
    return location ? new URL(location).pathname : undefined;
  }

  /** Whether somebody has done something on a page. */
  hasActed(viewUrl: string): boolean {
    const found = this.#hostedAt(viewUrl);
    return found !== undefined && !this.#untouched.has(found.requestID);
  }

  /** What a hosted page asks for: minor units, and whether a surcharge may come on top. Null for a card. */
  askedFor(viewUrl: string): { readonly amount: number | null; readonly surcharge: boolean } {
    const { requestID = '' } = this.#hostedAt(viewUrl) ?? {};
    const { amount, supportedFeatures } = this.#initOf(requestID)?.body ?? {};
    return { amount: amount === undefined ? null : Number(amount), surcharge: supportedFeatures === 'surcharge' };
  }

  /** Where the guest of a hosted page comes back to: a path of the worker. */
  returnAddress(viewUrl: string, through: 'success' | 'abort'): string | undefined {
    const found = this.#hostedAt(viewUrl);
    const body = found === undefined ? undefined : this.#initOf(found.requestID)?.body;
    const address = through === 'success' ? body?.callbackSuccessUrl : body?.callbackAbortUrl;
    return typeof address === 'string' ? new URL(address).pathname : undefined;
  }

  #hostedAt(viewUrl: string): { hotel: HotelName; requestID: string } | undefined {
    const url = new URL(viewUrl);
    const hotel = HOTELS.find((each) => url.hostname.endsWith(`${each}.test`));
    if (hotel === undefined) return undefined;
    // The sandbox's own form of the address.
    const { requestID } = JSON.parse(atob(url.searchParams.get('PD') ?? '')) as { requestID: string };
    return { hotel, requestID };
  }

  #initOf(requestID: string): Sent | undefined {
    return this.sent.find((sent) => sent.requestID === requestID);
  }

  /** What a person finds in the payment service's books; undefined while it may still change. */
  truthOf(
    id: string,
    attempt?: number,
  ): { status: 'succeeded' | 'failed'; transactionId?: string; amount?: unknown } | undefined {
    if (!id.startsWith('cs_')) {
      const mine = this.sent.filter(({ sender }) => sender === `MONEY_OPERATIONS/${id}`);
      if (mine.some(({ isInFlight }) => isInFlight)) return undefined;
      const booked = mine.find((sent) => sent.booked !== undefined)?.booked;
      return booked === undefined ? { status: 'failed' } : { status: 'succeeded', transactionId: booked.transactionID };
    }
    const hosted = this.hostedOf(id).filter(({ number }) => number === attempt);
    if (hosted.some(({ phase }) => phase === 'open' || phase === 'settling')) return undefined;
    const done = hosted.find(({ phase }) => phase === 'done');
    if (done === undefined) return { status: 'failed' };
    return {
      status: 'succeeded',
      ...(done.transactionID === null ? {} : { transactionId: done.transactionID }),
      ...(done.charged === undefined ? {} : { amount: { value: done.charged, currency: 'EUR' } }),
    };
  }

  /** The hosted requests of a session: of which attempt each is, and what was charged on it. */
  hostedOf(session: string): (HostedView & { readonly number: number; readonly charged: number | undefined })[] {
    return HOTELS.flatMap((hotel) => {
      const { hosted, charges } = this.sandboxes[hotel].control.ledger();
      return hosted
        .filter(({ cardInfoRefID }) => cardInfoRefID.startsWith(`${session}-`))
        .map((view) => ({
          ...view,
          number: Number(view.cardInfoRefID.slice(session.length + 1)),
          charged: charges.find(({ requestID }) => requestID === view.requestID)?.amount,
        }));
    });
  }
}

const assets = new Map<string, string>();

async function readAsset(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  let text = assets.get(pathname);
  if (text === undefined) {
    text = readFileSync(new URL(`../../packages/edge-proxy/dist/assets${pathname}`, import.meta.url), 'utf8');
    assets.set(pathname, text);
  }
  return new Response(text);
}

/** What an answer to a look says, as far as it matters here. */
async function readingOf(url: URL, response: Response | 'lost'): Promise<'done' | 'unreadable' | undefined> {
  if (!url.searchParams.has('requestid')) return undefined;
  if (response === 'lost' || response.status >= 500) return 'unreadable';
  try {
    return ((await response.clone().json()) as Json).state === 1 ? 'done' : undefined;
  } catch {
    return 'unreadable';
  }
}

/** A text that an answer has in a field; undefined when it cannot be read. */
async function textIn(response: Response, field: string): Promise<string | undefined> {
  try {
    const { [field]: text } = (await response.clone().json()) as Json;
    return typeof text === 'string' && text !== '' ? text : undefined;
  } catch {
    return undefined;
  }
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}

function connectionLost(): TypeError {
  return new TypeError('Network connection lost.');
}

function newSettings(hotel: HotelName): HotelSettings {
  const secret = 'whsec_bmV3LXNlY3JldC1vZi10aGUtYXVyb3Jh';
  return {
    password: `password-${hotel}`,
    isBroken: false,
    isMoved: false,
    origins: [`https://${hotel}.test`],
    webhooks: [
      { url: `https://hooks.a.${hotel}.test/innkeep`, secret },
      { url: `https://hooks.b.${hotel}.test/innkeep`, secret },
    ],
  };
}

const STAFF = {
  id: STAFF_KEY.id,
  sha256: createHash('sha256').update(STAFF_KEY.secret).digest('hex'),
  scopes: ['reversals'],
  maxReversal: { EUR: STAFF_KEY.limit },
};

const HASHES: Record<HotelName, string> = perHotel((hotel) =>
  createHash('sha256').update(merchantKey(hotel)).digest('hex'),
);

/** A hotel's configuration, as a secret has it. */
export function propertyConfiguration(hotel: HotelName, settings: HotelSettings): Json {
  const { password, previousPassword, origins, webhooks, isBroken, isMoved } = settings;
  return {
    ...hotelAt(upstreamUrl(hotel, isMoved)),
    displayName: `Hotel ${hotel}`,
    // What was begun at one of them is seen to its end, and its pages are at the first.
    allowedOrigins: [upstreamUrl(hotel), upstreamUrl(hotel, true)],
    username: SANDBOX_LOGIN.username,
    password,
    ...(previousPassword === undefined ? {} : { previousPassword }),
    ...(isBroken && { timeZone: 'Europe/Atlantis' }),
    origins,
    surcharge: true,
    merchantKeys: [
      {
        id: 'test',
        sha256: HASHES[hotel],
        scopes: ['read', 'checkout', 'charges', 'reversals', 'resolutions', 'tokens', 'events', 'audit'],
      },
      // Of one hotel alone: no key is in two.
      ...(hotel === 'aurora' ? [STAFF] : []),
    ],
    webhooks,
  };
}
