/** What the routes of each caller have: who calls, for which hotel, and what tells. */
import type { Author, MerchantKey } from '@innkeep/core/contract';
import type { Context } from 'hono';
import type { AppEnv, DeskGrant } from '../http/app-context.ts';
import type { KeyRefusal } from '../telemetry/telemetry.ts';
import type { Actor } from './actor.ts';
import type { Property } from './configured-properties.ts';
import type { DeskDependencies } from './desk-caller.ts';
import type { KeyOwner } from './key-uses.ts';
import type { LiveHotelSources } from './live-hotel.ts';
import type { PlatformPrincipal } from './platforms.ts';

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
