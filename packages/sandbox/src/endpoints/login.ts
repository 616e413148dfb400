/** @see upstream API, sections "Login request" and "Authentication" */
import { parseRequest } from '../wire/field-rules.ts';
import { Refusal } from '../wire/refusal.ts';
import type { World } from '../world/world.ts';
import { type ApiCall, readJson } from './api-call.ts';
import { planOperation } from './plan-operation.ts';
import { jsonReply, type Reply } from './reply.ts';

const EXPIRES_IN = 4800;

/** `POST /login`: a bearer token for the right name and password. */
export function login(world: World, call: ApiCall): Reply {
  const { username, password } = parseRequest(world.tables.login, readJson(world, call), world.profile);
  const { settings, ledger, clock, ids } = world;
  const { plan, extras } = planOperation(world, 'login');
  const isKnown = username === settings.username && password === settings.password;
  if (!isKnown || plan.decline !== undefined) throw new Refusal('unauthorized', 'unknown username or wrong password');
  if (plan.isSkipped === true) return jsonReply({}, extras);

  const accessToken = ids.next('bearer');
  const lifetimeMs = EXPIRES_IN * (settings.expiresInUnit === 'seconds' ? 1_000 : 60_000);
  ledger.bearers.set(accessToken, { expiresAt: clock.now() + lifetimeMs });
  const answer = { username, roles: ['USER'], access_token: accessToken, token_type: 'Bearer', expires_in: EXPIRES_IN };
  return jsonReply(answer, extras);
}
