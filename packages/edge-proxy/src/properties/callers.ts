/** Who calls: a merchant’s key, a platform’s for one of its hotels, the secret of a desk session, or a guest’s. */
import { type Author, isPerson, type MerchantKey } from '@innkeep/core/contract';
import type { MiddlewareHandler } from 'hono';
import { type AppContext, bearer, type DeskGrant, limit, publicUrl } from '../http/app-context.ts';
import { clientNetwork } from '../http/client-address.ts';
import { sha256Hex } from '../http/hash.ts';
import { isCardNumber } from '../http/idempotency.ts';
import { ProblemError } from '../http/problem.ts';
import { routeOf } from '../http/routes.ts';
import type { KeyRefusal } from '../telemetry/telemetry.ts';
import type { Actor } from './actor.ts';
import type { CallerDependencies, CallingKey, GuestEnv, MerchantEnv, PlatformEnv } from './caller-env.ts';
import { type InvalidProperty, type Property, unusable } from './configured-properties.ts';
import { type DeskClaim, findDesk, isDeskSecret } from './desk-caller.ts';
import { deskCookie, deskPageOf } from './desk-cookie.ts';
import { hiddenFromDesk } from './hidden-from-desk.ts';
import { findKeyRefusal } from './key-limits.ts';
import { refuseRealPayments } from './live-hotel.ts';
import { mayServe, type PlatformPrincipal, unusablePlatform } from './platforms.ts';
import { isCovered } from './property-pattern.ts';

/** Header in which a platform key says for which hotel it acts. */
const PROPERTY_HEADER = 'Innkeep-Property';

/** Who calls a merchant's route, and for which hotel. */
interface MerchantCaller {
  readonly property: Property | InvalidProperty;
  readonly key: CallingKey & { readonly scopes: readonly string[] };
  readonly desk?: DeskGrant;
}

export const merchantOnly: MiddlewareHandler<MerchantEnv> = async (c, next) => {
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
  // A page reads all the time, whether or not somebody is using it. It calls this while somebody does.
  const isUse = c.req.method !== 'GET' || c.req.path === '/v1/desk';
  const call = { headers: c.req.raw.headers, isUse, logFields: c.get('logFields') };
  const caller = await findDesk({ ...claim, ...call }, c.get('dependencies'));
  const named = c.req.header(PROPERTY_HEADER);
  if (named !== undefined && named !== caller.property.id) {
    const detail = 'This desk session belongs to another property';
    throw new ProblemError('forbidden', { detail, param: PROPERTY_HEADER });
  }
  if (caller.key.isForTests) await refuseRealPayments(caller.property.id, c.get('dependencies'));
  // A desk may do what its features say, and not what its key's scopes say.
  return { ...caller, key: { ...caller.key, scopes: [] } };
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

export function nameOfPlatformKey({ platform, key }: PlatformPrincipal): string {
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
  const key = nameOfPlatformKey(principal);
  c.get('logFields').key = key;
  admitKey(c, principal.key, { key });
  c.get('dependencies').noteKeyUse({ platform: principal.platform.id }, principal.key.sha256);
  return principal;
}

/** What is taken for a key by mistake, by how it begins. */
const MISTAKEN: ReadonlyMap<string, string> = new Map([
  ['cs', 'a client secret, for the page of a guest'],
  ['sk', 'the key of a hotel'],
  ['whsec', 'the secret of a webhook endpoint'],
]);

/** Nothing is stored of it. The log has enough to find who has such a key. */
async function wrongKey(
  c: AppContext<CallerDependencies>,
  secretKey: string,
  kind: 'merchant' | 'platform',
): Promise<ProblemError> {
  c.get('logFields').keyHash = (await sha256Hex(secretKey)).slice(0, 8);
  noteKeyRefusal(c, { reason: 'wrong' });
  const begin = secretKey.slice(0, secretKey.indexOf('_'));
  const other = begin === 'sk' && kind === 'merchant' ? undefined : MISTAKEN.get(begin);
  const detail = other === undefined ? `The ${kind} key is wrong` : `This is ${other}, not a ${kind} key`;
  return new ProblemError('unauthorized', { detail, param: 'Authorization' });
}

/** A key that is right may have ended, or be for other addresses. */
function admitKey(
  c: AppContext<CallerDependencies>,
  key: Omit<MerchantKey, 'scopes'>,
  name: Omit<KeyRefusal, 'reason'>,
): void {
  const { clientAddress, now } = c.get('dependencies');
  const address = clientAddress(c.req.raw.headers);
  const refusal = findKeyRefusal(key, { now: now(), address });
  if (refusal === undefined) return;
  // Whoever is on call must tell a server that has moved from a thief.
  if (address !== undefined) c.get('logFields').network = clientNetwork(address);
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

export const platformOnly: MiddlewareHandler<PlatformEnv> = async (c, next) => {
  const secretKey = bearer(c);
  refuseDesk(secretKey);
  const principal = await platformPrincipal(c, secretKey);
  const key = nameOfPlatformKey(principal);
  c.set('principal', principal);
  c.set('actor', actorOf(c, key));
  c.set('scopes', principal.key.scopes);
  await next();
  if (c.get('lacksScope') === true) noteKeyRefusal(c, { reason: 'scope', key });
};

export const guestOnly: MiddlewareHandler<GuestEnv> = async (c, next) => {
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
