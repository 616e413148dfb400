/**
 * The operator of the hotels of the directory: what it changes, at any moment, and what it was told. What came of it is held
 * against the books in `directory-invariants.ts`.
 */
import { createHash } from 'node:crypto';
import { type Call, DIRECTORY_HOTELS, type HotelName, type Json, propertyConfiguration, type World } from './world.ts';

/** What can be done to a hotel of the directory. */
export const DIRECTORY_CHANGES = [
  'name',
  'password',
  'wrongPassword',
  'origins',
  'webhooks',
  'move',
  'rotateKey',
  'addKey',
  'takeKey',
  'shareKey',
  'replace',
  'remove',
  'rollBack',
] as const;
export type DirectoryChange = (typeof DIRECTORY_CHANGES)[number];

/** A change that was asked for. */
export interface Attempt {
  readonly hotel: HotelName;
  /** The version that it was meant for; undefined when it named none. */
  readonly version: number | '*' | undefined;
  /** A name that the configuration has by this change alone; undefined where it takes an older one. */
  readonly displayName: string | undefined;
  readonly action: 'created' | 'replaced' | 'changed' | 'removed' | 'rolled_back';
  /** What was sent with it. */
  readonly body: Json | undefined;
  readonly call: Call;
}

export interface ChangeOrder {
  readonly hotel: HotelName;
  readonly change: DirectoryChange;
  /** Two operators do it at the same moment. */
  readonly copies: number;
  /** It is meant for a version that is no longer the newest, or names none. */
  readonly isStale: boolean;
  readonly waits: boolean;
}

type Request = Pick<Attempt, 'action' | 'displayName'> & {
  readonly path: string;
  readonly method: string;
  readonly body?: Json;
};

/** How many of the changes for an older version name none at all. */
const UNCONDITIONAL = 0.4;

export function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** One operator, who looks after every hotel of the directory. */
export class Operator {
  readonly attempts: Attempt[] = [];
  /** Every key that a hotel was ever meant to have. */
  readonly keys: { readonly hotel: HotelName; readonly key: string }[] = [];
  /** Hotels that were to have the key of the other one: once that one has let go of it, its server speaks for them. */
  readonly takers = new Set<HotelName>();
  readonly #world: World;
  readonly #versions = new Map<HotelName, number>();
  /** Whether everything was sealed with the newest key since there is one. */
  #isResealed = false;
  #names = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** Adds the hotels, before anything else happens. */
  async addHotels(): Promise<void> {
    await this.#settle(DIRECTORY_HOTELS.map((hotel) => this.#ask(hotel, this.#whole(hotel, 'created'), undefined)));
  }

  async change({ hotel, change, copies, isStale, waits }: ChangeOrder): Promise<void> {
    const known = this.#versions.get(hotel) ?? 1;
    const version = isStale ? this.#staleVersion(known) : known;
    const requests = Array.from({ length: copies }, () => this.#request(hotel, change, known));
    const attempts = requests.map((request) => this.#ask(hotel, request, version));
    if (change === 'shareKey') {
      const other = otherOf(hotel);
      const { merchantKeys } = requests[0]?.body ?? {};
      const twin = this.#request(other, 'name', 0);
      attempts.push(
        this.#ask(other, { ...twin, body: { ...twin.body, merchantKeys } }, this.#versions.get(other) ?? 1),
      );
    }
    if (waits) await this.#settle(attempts);
  }

  rotateSealingKeys(): void {
    this.#isResealed = false;
    this.#world.rotateSealingKeys();
  }

  async reseal(): Promise<void> {
    const keys = this.#world.sealingKeys;
    const calls = DIRECTORY_HOTELS.map((hotel) => this.#world.operator(`${hotel}/reseal`, { method: 'POST' }));
    await this.#world.until(calls);
    this.#isResealed = keys === this.#world.sealingKeys && calls.every(({ answer }) => answer?.status === 200);
  }

  /** Takes the older keys out, if nothing should need them any more. Returns whether it has. */
  dropOlderSealingKeys(): boolean {
    if (this.#isResealed) this.#world.dropOlderSealingKeys();
    return this.#isResealed;
  }

  /** One call with any key that there ever was, or with the newest. */
  useKey(hotel: HotelName, which: number): Call {
    const own = this.keys.filter((each) => each.hotel === hotel);
    const secret = own.at(-1 - (which % own.length))?.key ?? '';
    return this.#world.merchant(hotel, '/v1/checkout-sessions?limit=1', { secret });
  }

  /** Writes what a hotel should be, whatever it is. */
  async repair(hotel: HotelName): Promise<void> {
    await this.#settle([this.#ask(hotel, this.#whole(hotel, 'replaced'), '*')]);
  }

  #staleVersion(known: number): number | undefined {
    return this.#world.scheduler.draw('condition') < UNCONDITIONAL ? undefined : Math.max(1, known - 1);
  }

  #request(hotel: HotelName, change: DirectoryChange, known: number): Request {
    const world = this.#world;
    const settings = world.settings[hotel];
    const patch = (fields: Json): Request => {
      const displayName = `${hotel} ${++this.#names}`;
      const body = { displayName, user: displayName, ...fields };
      return { action: 'changed', displayName, path: hotel, method: 'PATCH', body };
    };
    switch (change) {
      case 'password':
        world.changePassword(hotel, true);
        return patch({ password: settings.password, previousPassword: settings.previousPassword });
      case 'wrongPassword':
        return patch({ password: 'wrong' });
      case 'origins': {
        const [first = ''] = settings.origins;
        settings.origins = settings.origins.length > 1 ? [first] : [first, 'https://other.test'];
        return patch({ origins: settings.origins });
      }
      case 'webhooks': {
        const [first, second] = settings.webhooks;
        if (first === undefined || second === undefined) return patch({});
        const { url } = second;
        settings.webhooks = [first, { ...second, url: url.endsWith('x') ? url.slice(0, -1) : `${url}x` }];
        for (const webhook of [second, settings.webhooks[1]]) world.excuseEndpoint(webhook?.url ?? '');
        return patch({ webhooks: settings.webhooks });
      }
      case 'move':
        settings.isMoved = !settings.isMoved;
        // Another service is sent no password that was written for this one.
        return patch({
          baseUrl: propertyConfiguration(hotel, settings).baseUrl,
          password: settings.password,
          previousPassword: settings.previousPassword ?? null,
        });
      case 'rotateKey':
        return patch({ merchantKeys: [this.#newKey(hotel)] });
      case 'addKey':
        return patch({ merchantKeys: [this.#newKey(hotel), keyFields(world.merchantKeys[hotel], 'before')] });
      case 'takeKey':
        this.takers.add(hotel);
        return patch({
          merchantKeys: [
            keyFields(world.merchantKeys[hotel], 'own'),
            keyFields(world.merchantKeys[otherOf(hotel)], 'taken'),
          ],
        });
      case 'shareKey':
        return patch({ merchantKeys: [this.#newKey(hotel)] });
      case 'replace':
        return this.#whole(hotel, 'replaced');
      case 'remove':
        return { action: 'removed', displayName: undefined, path: hotel, method: 'DELETE' };
      case 'rollBack': {
        const version = Math.max(1, known - 1 - Math.floor(world.scheduler.draw('roll back') * 3));
        // What it goes back to may have other endpoints.
        for (const { url } of settings.webhooks.slice(1)) world.excuseEndpoint(url);
        const path = `${hotel}/roll-back`;
        return { action: 'rolled_back', displayName: undefined, path, method: 'POST', body: { version } };
      }
      default:
        return patch({});
    }
  }

  /** All of a configuration, with a key that nobody has had. */
  #whole(hotel: HotelName, action: 'created' | 'replaced'): Request {
    const displayName = `${hotel} ${++this.#names}`;
    const merchantKeys = [this.#newKey(hotel)];
    const fields = { displayName, user: displayName, merchantKeys };
    const body = { ...propertyConfiguration(hotel, this.#world.settings[hotel]), ...fields };
    return { action, displayName, path: hotel, method: 'PUT', body };
  }

  #newKey(hotel: HotelName): Json {
    const nth = this.keys.length;
    // Every third one has the form of before, which does not say whose it is.
    const key = nth % 3 === 2 ? `sk_test_old-form-${nth}` : `sk_test_${hotel}_${String(nth).padStart(40, 'k')}`;
    this.keys.push({ hotel, key });
    return keyFields(key, `k${nth}`);
  }

  #ask(
    hotel: HotelName,
    { path, method, body, action, displayName }: Request,
    version: number | '*' | undefined,
  ): Attempt {
    const world = this.#world;
    const call = world.operator(path, { method, body, version });
    const attempt = { hotel, version, displayName, action, body, call };
    this.attempts.push(attempt);
    world.onAnswer(call, () => {
      const { status, body } = call.answer ?? {};
      world.tell(`  answered ${String(status)} ${String(body?.code ?? body?.version ?? '')}`);
      this.#read(hotel, call);
    });
    return attempt;
  }

  /** Waits for the answers; whatever came of it, the operator then looks. */
  async #settle(attempts: readonly Attempt[]): Promise<void> {
    const world = this.#world;
    await world.until(attempts.map(({ call }) => call));
    const unclear = attempts.filter(({ call: { answer } }) => answer?.status !== 200 && answer?.status !== 201);
    const looks = [...new Set(unclear.map(({ hotel }) => hotel))].map((hotel) => ({
      hotel,
      call: world.operator(hotel, { method: 'GET' }),
    }));
    await world.until(looks.map(({ call }) => call));
    for (const { hotel, call } of looks) this.#read(hotel, call);
  }

  /** Takes over what an answer shows: the version, and the key to go on with. */
  #read(hotel: HotelName, { answer }: Call): void {
    const version = Number(answer?.body.version);
    if (!Number.isInteger(version) || version < (this.#versions.get(hotel) ?? 0)) return;
    this.#versions.set(hotel, version);
    const { merchantKeys = [] } = (answer?.body.settings ?? {}) as { merchantKeys?: { sha256: string }[] };
    const key = this.keys.find((each) => hashOf(each.key) === merchantKeys[0]?.sha256)?.key;
    if (key !== undefined) this.#world.merchantKeys[hotel] = key;
  }
}

function otherOf(hotel: HotelName): HotelName {
  return DIRECTORY_HOTELS.find((each) => each !== hotel) ?? hotel;
}

function keyFields(key: string, id: string): Json {
  return {
    id,
    sha256: hashOf(key),
    scopes: ['read', 'checkout', 'charges', 'reversals', 'resolutions', 'tokens', 'events', 'audit'],
  };
}
