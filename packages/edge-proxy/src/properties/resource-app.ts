/**
 * The sub-apps of the proxy. Each one is made by a function that says who may call it, and the app mounts no other, nor a route for keys
 * that names no scope: what nobody decided about cannot be reached.
 */

import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../http/app-context.ts';
import { hasScopes, isForDesks } from '../http/describe.ts';
import { Routes } from '../http/routes.ts';
import type { DeskEnv, GuestEnv, MerchantEnv, PlatformEnv } from './caller-env.ts';
import { guestOnly, merchantOnly, platformOnly } from './callers.ts';

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
