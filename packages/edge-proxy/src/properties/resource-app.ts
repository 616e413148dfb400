/**
 * The sub-apps of the proxy. Each one is made by a function that says who may call it, and the app mounts no other, nor a route for keys
 * that names no scope: what nobody decided about cannot be reached.
 */

import { type Author, isPerson, type MerchantKey } from '@innkeep/core/contract';
import type { Context, MiddlewareHandler } from 'hono';
import { type AppContext, type AppEnv, bearer, type DeskGrant, limit, publicUrl } from '../http/app-context.ts';
import { clientNetwork } from '../http/client-address.ts';
import { hasScopes, isForDesks } from '../http/describe.ts';
import { errorResponse } from '../http/error-response.ts';
import { sha256Hex } from '../http/hash.ts';
import { isCardNumber } from '../http/idempotency.ts';
import { ProblemError } from '../http/problem.ts';
import { Routes, routeOf } from '../http/routes.ts';
import type { KeyRefusal } from '../telemetry/telemetry.ts';
import type { Actor } from './actor.ts';
import { type InvalidProperty, type Property, unusable } from './configured-properties.ts';
import { type DeskClaim, type DeskDependencies, findDesk, isDeskSecret } from './desk-caller.ts';
import { deskCookie, deskPageOf } from './desk-cookie.ts';
import { hiddenFromDesk } from './hidden-from-desk.ts';
import { findKeyRefusal } from './key-limits.ts';
import type { KeyOwner } from './key-uses.ts';
import { type LiveHotelSources, refuseRealPayments } from './live-hotel.ts';
import { mayServe, type PlatformPrincipal, unusablePlatform } from './platforms.ts';
import { isCovered } from './property-pattern.ts';

/** What tells who calls. */
export interface CallerDependencies extends DeskDependencies, Pick<LiveHotelSources, 'hasLivePayments'> {
  /** Where a request came from; undefined: nobody trusted says it. */
  readonly clientAddress: (headers: Headers) => string | undefined;
  /** Remembers that a key of a hotel or a platform was used. Nobody waits for it. */
  readonly noteKeyUse: (owner: KeyOwner, sha256: string) => void;
  /** Counts a call without the scope it needs. Nobody waits for it. */
  readonly noteRefusal: (property: string, refusal: RefusedCall) => void;
  /** Measures a call that its key does not open. */
  readonly countKeyRefusal: (refusal: KeyRefusal) => void;
}

/** A call that was refused for its key’s scopes, or for what a desk session may do. */
export interface RefusedCall {
  /** Without a person that a header named: there could be any number of those. */
  readonly by: Author;
  /** Method and pattern of the route. */
  readonly route: string;
  readonly code: string;
}

/** What a merchant's routes also have: the hotel, and the key, which may be of a platform: `platform/key`. */
export interface MerchantEnv<Needed = object> {
  Variables: AppEnv<CallerDependencies & Needed>['Variables'] & {
    readonly property: Property;
    readonly key: CallingKey;
    readonly actor: Actor;
    readonly scopes: readonly string[];
  };
}

/** What only the routes of a desk have. */
export interface DeskEnv<Needed = object> {
  Variables: MerchantEnv<Needed>['Variables'] & { readonly desk: DeskGrant };
}

/** The key of a merchant’s call, or that of a desk session. */
export type CallingKey = Readonly<Pick<MerchantKey, 'id' | 'maxReversal'>>;

/** A request of a merchant, for those who only read it. */
export type MerchantContext<Needed = object> = Omit<Context<MerchantEnv<Needed>>, 'set'>;

/** What an operator's routes also have: whose key it was. */
export interface PlatformEnv<Needed = object> {
  Variables: AppEnv<CallerDependencies & Needed>['Variables'] & {
    readonly principal: PlatformPrincipal;
    readonly actor: Actor;
  };
}

/** A guest's call before its secret is hashed. */
export interface Guest {
  readonly clientSecret: string;
  readonly origin: string | null;
  readonly publicOrigin: string;
}

/** What a guest's routes also have: the client secret, and where it came from. */
export interface GuestEnv<Needed = object> {
  Variables: AppEnv<Needed>['Variables'] & { readonly guest: Guest };
}

/** Who may call the routes of a sub-app. Desk sessions call those of merchants, too, as far as each says so. */
export type Caller = 'merchant' | 'platform' | 'desk' | 'guest' | 'anybody';

/** What was decided about a sub-app: who may call it, and under which heading its description stands. */
export interface Decision {
  readonly caller: Caller;
  readonly tag: Tag;
}

/** A heading of the OpenAPI documents. */
export type Tag =
  | 'Audit'
  | 'Cards'
  | 'Charges and reversals'
  | 'Checkout sessions'
  | 'Desk'
  | 'Events'
  | 'Gateway'
  | 'Guest'
  | 'Pages'
  | 'Payments'
  | 'Properties'
  | 'Service';

/** A sub-app as far as mounting it goes. */
export type ResourceApp = Pick<Routes, 'routes'>;

const decisions = new WeakMap<ResourceApp, Decision>();

/** Routes for callers with a merchant key, or a platform key and the name of a hotel. Each says which scopes open it. */
export function merchantApp<Needed = object>({ tag }: { readonly tag: Tag }) {
  return decided({ caller: 'merchant', tag }, new Routes<MerchantEnv<Needed>>().use(merchantOnly));
}

/** Routes for callers with a platform key. Each says which scopes open it, and checks itself which hotels the key is for. */
export function platformApp<Needed = object>({ tag }: { readonly tag: Tag }) {
  return decided({ caller: 'platform', tag }, new Routes<PlatformEnv<Needed>>().use(platformOnly));
}

/** Routes for callers with the secret of a desk session. Each says which feature reaches it. */
export function deskApp<Needed = object>({ tag }: { readonly tag: Tag }) {
  // Its routes name no scope, so that whoever has a key gets no further than to describe.
  const isAtDesk = merchantOnly as MiddlewareHandler as MiddlewareHandler<DeskEnv<Needed>>;
  return decided({ caller: 'desk', tag }, new Routes<DeskEnv<Needed>>().use(isAtDesk));
}

/** Routes for callers with a session's client secret. Which session, and from which origin, its object decides. */
export function guestApp<Needed = object>({ tag }: { readonly tag: Tag }) {
  return decided({ caller: 'guest', tag }, new Routes<GuestEnv<Needed>>().use(guestOnly));
}

/** Routes for everybody. What their addresses hold may still be a secret. */
export function publicApp<Needed = object>({ tag }: { readonly tag: Tag }) {
  return decided({ caller: 'anybody', tag }, new Routes<AppEnv<Needed>>());
}

/** What was decided about a sub-app; throws for one that none of the functions here has made, and for a route that no scope or feature opens. */
export function decisionOf(app: ResourceApp): Decision {
  const decision = decisions.get(app);
  if (decision === undefined) {
    throw new TypeError('Nobody decided who may call this sub-app: make it with a function such as merchantApp');
  }
  if (decision.caller === 'guest' || decision.caller === 'anybody') return decision;
  const [what, isOpened] = decision.caller === 'desk' ? ['feature', isForDesks] : ['scope', hasScopes];
  const scoped = new Set(app.routes.filter(({ handler }) => isOpened(handler)).map(nameOf));
  const open = app.routes.find((route) => route.method !== 'ALL' && !scoped.has(nameOf(route)));
  if (open === undefined) return decision;
  throw new TypeError(`${nameOf(open)} names no ${what}: start it with describe, and name each ${what} there`);
}

function nameOf({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path}`;
}

function decided<App extends ResourceApp>(decision: Decision, app: App): App {
  decisions.set(app, decision);
  return app;
}

/** Header in which a platform key says for which hotel it acts. */
const PROPERTY_HEADER = 'Innkeep-Property';

/** Who calls a merchant's route, and for which hotel. */
interface MerchantCaller {
  readonly property: Property | InvalidProperty;
  readonly key: CallingKey & { readonly scopes: readonly string[] };
  readonly desk?: DeskGrant;
}

const merchantOnly: MiddlewareHandler<MerchantEnv> = async (c, next) => {
  const { property, key, desk } = await merchantCaller(c);
  c.get('logFields').property = property.id;
  c.get('logFields').key = key.id;
  if (property.invalid) throw unusable(property);
  c.set('property', property);
  c.set('key', key);
  c.set('actor', actorOf(c, key.id, desk));
  c.set('scopes', key.scopes);
  c.set('desk', desk);
  await next();
  if (desk !== undefined) c.res = await hiddenFromDesk(c.res);
  if (c.get('lacksScope') !== true) return;
  // What a person may not do says nothing about the key of the server.
  if (desk === undefined) noteKeyRefusal(c, { reason: 'scope', key: key.id, property: property.id });
  const by: Author = desk === undefined ? { key: key.id, person: null, via: 'key' } : c.get('actor').by;
  const code = c.error instanceof ProblemError ? c.error.code : 'forbidden';
  const route = `${c.req.method} ${routeOf(c)}`;
  c.get('dependencies').noteRefusal(property.id, { by, route, code });
};

/** Header in which a caller says who it acts for: recorded, never checked. */
const PERSON_HEADER = 'Innkeep-Person';

function actorOf(c: AppContext<CallerDependencies>, key: string, desk?: DeskGrant): Actor {
  const named = c.req.header(PERSON_HEADER) ?? null;
  if (desk !== undefined && named !== null) {
    const detail = 'A desk session names its person: leave the header out';
    throw new ProblemError('invalid_request', { detail, param: PERSON_HEADER });
  }
  const person = desk?.person.id ?? named;
  if (person !== null && (!isPerson(person) || isCardNumber(person))) {
    const detail = 'Must be an id of your own: 1 to 64 visible ASCII characters, and no card number';
    throw new ProblemError('invalid_request', { detail, param: PERSON_HEADER });
  }
  if (person !== null) c.get('logFields').person = person;
  const address = c.get('dependencies').clientAddress(c.req.raw.headers);
  return {
    by: { key, person, via: desk !== undefined ? 'desk' : person === null ? 'key' : 'header' },
    requestId: c.get('traceId'),
    network: address === undefined ? null : clientNetwork(address),
  };
}

async function deskCaller(
  c: AppContext<CallerDependencies>,
  claim: Pick<DeskClaim, 'secret' | 'page'>,
): Promise<MerchantCaller> {
  // A page asks for events all the time, whether or not somebody is using it.
  const isUse = c.req.path !== '/v1/events';
  const caller = await findDesk({ ...claim, headers: c.req.raw.headers, isUse }, c.get('dependencies'));
  c.get('logFields').desk = caller.desk.id;
  const named = c.req.header(PROPERTY_HEADER);
  if (named !== undefined && named !== caller.property.id) {
    const detail = 'This desk session belongs to another property';
    throw new ProblemError('forbidden', { detail, param: PROPERTY_HEADER });
  }
  if (caller.key.isForTests) await refuseRealPayments(caller.property.id, c.get('dependencies'));
  // A desk may do what its features say, and not what its key's scopes say.
  return { ...caller, key: { ...caller.key, scopes: [] } };
}

/**
 * Stands before everything else: a secret key with which a page calls can be read by everybody who opens the page. Browsers name the
 * page's origin, servers do not. The page may read why it is refused.
 */
export const refuseKeyOfPage: MiddlewareHandler<AppEnv<CallerDependencies>> = async (c, next) => {
  const origin = c.req.header('origin');
  const [, secretKey] = /^Bearer\s+([sp]k_\S*)/i.exec(c.req.header('authorization') ?? '') ?? [];
  if (origin === undefined || secretKey === undefined) return next();
  c.get('logFields').keyHash = (await sha256Hex(secretKey)).slice(0, 8);
  const name = await ownerOf(c, secretKey);
  noteKeyRefusal(c, name === undefined ? { reason: 'wrong' } : { reason: 'page', ...name });
  const detail =
    'A secret key is in a page, where everyone can read it: revoke it, and use a new one only on your server';
  const refused = new ProblemError('forbidden', { detail, param: 'Authorization' });
  // Limited and answered the same for any key, so that nobody learns here whether one is real.
  const problem = await limit(c, 'failure').then(
    () => refused,
    (tooMany: Error) => tooMany,
  );
  const answer = await errorResponse(problem, c);
  answer.headers.set('access-control-allow-origin', origin);
  return answer;
};

/** Whose key this is; undefined if it opens nothing, or if nobody can tell now. */
async function ownerOf(
  c: AppContext<CallerDependencies>,
  secretKey: string,
): Promise<Omit<KeyRefusal, 'reason'> | undefined> {
  const { platforms, properties } = c.get('dependencies');
  if (secretKey.startsWith('pk_')) {
    const hash = await sha256Hex(secretKey);
    const principal = platforms.findByHash(hash);
    if (principal !== undefined) return { key: nameOfPlatformKey(principal) };
    const unusable = platforms.unusableOf(hash);
    return unusable && { key: `${unusable.id}/unknown` };
  }
  const principal = await properties.findByKey(secretKey).catch(() => undefined);
  // Any key that names a hotel which cannot be read counts as one of its keys.
  if (principal?.property.merchantKeys.some(({ sha256 }) => sha256 === principal.key.sha256) !== true) return undefined;
  return { key: principal.key.id, property: principal.property.id };
}

/** What says who calls a merchant's route: a key, or the secret of a desk session, which the proxy's own page has in its cookie. */
export function callerSecret(c: AppContext): string {
  return deskPageOf(c.req.url) === undefined ? bearer(c) : deskCookie(c);
}

async function merchantCaller(c: AppContext<CallerDependencies>): Promise<MerchantCaller> {
  const page = deskPageOf(c.req.url);
  const secretKey = callerSecret(c);
  if (page !== undefined || isDeskSecret(secretKey)) return deskCaller(c, { secret: secretKey, page });
  const named = c.req.header(PROPERTY_HEADER);
  if (secretKey.startsWith('pk_')) return actingFor(c, await platformPrincipal(c, secretKey), named);
  const principal = await c.get('dependencies').properties.findByKey(secretKey);
  if (principal === undefined) throw await wrongKey(c, secretKey, 'merchant');
  const name = { key: principal.key.id, property: principal.property.id };
  admitKey(c, principal.key, name);
  if (named !== undefined && named !== name.property) {
    noteKeyRefusal(c, { reason: 'property', ...name });
    throw new ProblemError('forbidden', { detail: 'This key belongs to another property', param: PROPERTY_HEADER });
  }
  // Nobody can tell whose key it is while the hotel cannot be read.
  if (!principal.property.invalid) c.get('dependencies').noteKeyUse({ property: name.property }, principal.key.sha256);
  return principal;
}

/** An operator who acts for one of its hotels. */
async function actingFor(
  c: AppContext<CallerDependencies>,
  principal: PlatformPrincipal,
  id: string | undefined,
): Promise<MerchantCaller> {
  const { platform, key } = principal;
  const name = nameOfPlatformKey(principal);
  if (id === undefined) {
    const detail = `With a platform key, name the property: ${PROPERTY_HEADER}: <id>`;
    throw new ProblemError('invalid_request', { detail, param: PROPERTY_HEADER });
  }
  if (!isCovered(id, key.properties)) {
    noteKeyRefusal(c, { reason: 'property', key: name });
    throw new ProblemError('forbidden', { detail: 'This key is not for this property', param: PROPERTY_HEADER });
  }
  const property = await c.get('dependencies').properties.find(id);
  if (property === undefined || property.isRemoved) {
    throw new ProblemError('not_found', { detail: 'There is no such property', param: PROPERTY_HEADER });
  }
  if (!property.invalid && !mayServe(platform, property)) {
    noteKeyRefusal(c, { reason: 'property', key: name, property: property.id });
    const detail = 'This property is live, and the platform of this key has no livemode';
    throw new ProblemError('forbidden', { detail, param: PROPERTY_HEADER });
  }
  if (!platform.livemode) {
    await refuseRealPayments(id, c.get('dependencies'), PROPERTY_HEADER).catch((error) => {
      if (error instanceof ProblemError && error.code === 'forbidden') {
        noteKeyRefusal(c, { reason: 'property', key: name, property: id });
      }
      throw error;
    });
  }
  return { property, key: { ...key, id: name } };
}

function nameOfPlatformKey({ platform, key }: PlatformPrincipal): string {
  return `${platform.id}/${key.id}`;
}

async function platformPrincipal(c: AppContext<CallerDependencies>, secretKey: string): Promise<PlatformPrincipal> {
  const { platforms } = c.get('dependencies');
  const hash = await sha256Hex(secretKey);
  const principal = platforms.findByHash(hash);
  if (principal === undefined) {
    const unusable = platforms.unusableOf(hash);
    throw unusable === undefined ? await wrongKey(c, secretKey, 'platform') : unusablePlatform(unusable);
  }
  admitKey(c, principal.key, { key: nameOfPlatformKey(principal) });
  c.get('dependencies').noteKeyUse({ platform: principal.platform.id }, principal.key.sha256);
  return principal;
}

/** Nothing is stored of it. The log has enough to find who has such a key. */
async function wrongKey(
  c: AppContext<CallerDependencies>,
  secretKey: string,
  kind: 'merchant' | 'platform',
): Promise<ProblemError> {
  c.get('logFields').keyHash = (await sha256Hex(secretKey)).slice(0, 8);
  noteKeyRefusal(c, { reason: 'wrong' });
  return new ProblemError('unauthorized', { detail: `The ${kind} key is wrong`, param: 'Authorization' });
}

/** A key that is right may have ended, or be for other addresses. */
function admitKey(
  c: AppContext<CallerDependencies>,
  key: Omit<MerchantKey, 'scopes'>,
  name: Omit<KeyRefusal, 'reason'>,
): void {
  const { clientAddress, now } = c.get('dependencies');
  const refusal = findKeyRefusal(key, { now: now(), address: clientAddress(c.req.raw.headers) });
  if (refusal === undefined) return;
  noteKeyRefusal(c, { reason: refusal.reason, ...name });
  throw refusal.problem;
}

/** Says in the log why a key does not open a call, and counts it. */
export function noteKeyRefusal(c: AppContext<CallerDependencies>, { reason, ...name }: KeyRefusal): void {
  Object.assign(c.get('logFields'), name, { refusal: reason });
  c.get('dependencies').countKeyRefusal({ reason, ...name });
}

function refuseDesk(secret: string): void {
  if (isDeskSecret(secret)) throw new ProblemError('forbidden', { detail: 'Desk sessions cannot do this' });
}

const platformOnly: MiddlewareHandler<PlatformEnv> = async (c, next) => {
  const secretKey = bearer(c);
  refuseDesk(secretKey);
  const principal = await platformPrincipal(c, secretKey);
  const key = nameOfPlatformKey(principal);
  c.get('logFields').key = key;
  c.set('principal', principal);
  c.set('actor', actorOf(c, key));
  c.set('scopes', principal.key.scopes);
  await next();
  if (c.get('lacksScope') === true) noteKeyRefusal(c, { reason: 'scope', key });
};

const guestOnly: MiddlewareHandler<GuestEnv> = async (c, next) => {
  await limit(c, 'guest');
  const clientSecret = bearer(c);
  refuseDesk(clientSecret);
  c.set('guest', {
    clientSecret,
    origin: c.req.header('origin') ?? null,
    publicOrigin: publicUrl(c).origin,
  });
  await next();
};
