/** Refuses a secret key that a page calls with. */
import type { MiddlewareHandler } from 'hono';
import { type AppContext, type AppEnv, limit } from '../http/app-context.ts';
import { errorResponse } from '../http/error-response.ts';
import { sha256Hex } from '../http/hash.ts';
import { ProblemError } from '../http/problem.ts';
import type { KeyRefusal } from '../telemetry/telemetry.ts';
import type { CallerDependencies } from './caller-env.ts';
import { nameOfPlatformKey, noteKeyRefusal } from './callers.ts';

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
