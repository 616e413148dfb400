/** Puts into a golden folder what it cannot tell: hashes of secrets that are known here, and a payment service that can be asked. */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ServedSandbox } from '@innkeep/sandbox';
import { logIn } from '../support/sandbox-hotel.ts';

/** What stands in every return address. */
const NONCE = 'n'.repeat(43);

/** A guest who was sent to the payment service. */
export interface Guest {
  readonly session: string;
  /** The attempt’s id at the payment service. */
  readonly requestID: string;
  /** The path to which the guest comes back after paying. */
  readonly returnPath: string;
}

/** Gives a person’s desk session a secret that is known. @returns the secret */
export function putInDesk(objects: string, person: string): string {
  const [desk] = run(objects, 'LedgerObject', `SELECT id FROM desk_session WHERE body ->> '$.person.id' = ?`, person);
  const id = String(desk?.id);
  const secret = `${id}_aurora_${'d'.repeat(43)}`;
  run(
    objects,
    'LedgerObject',
    `UPDATE desk_session SET body = json_set(body, '$.hash', ?) WHERE id = ?`,
    hash(secret),
    id,
  );
  return secret;
}

/** Has a sandbox of today know every guest of a folder, as the payment service then did, and the folder the sandbox. */
export async function putInGuests(
  objects: string,
  upstreamUrl: string,
  { url, sandbox }: Pick<ServedSandbox, 'url' | 'sandbox'>,
): Promise<Guest[]> {
  const post = await logIn(sandbox);
  const hosted = '$.record.attempts[0].hosted';
  const attempts = run(
    objects,
    'CheckoutSessionObject',
    `UPDATE object SET body = json_set(body, '${hosted}.nonceHash', ?, '${hosted}.stateRetrivalUrl',
       replace(body ->> '${hosted}.stateRetrivalUrl', ?, ?))
     WHERE body ->> '$.record.kind' = 'payment' AND body ->> '${hosted}.requestID' IS NOT NULL
     RETURNING body ->> '$.record.id' AS session, body ->> '${hosted}.requestID' AS requestID`,
    ...[hash(NONCE), upstreamUrl, url],
  ) as Pick<Guest, 'session' | 'requestID'>[]; // As the statement says.
  const fields = {
    ...{ hotelID: '1', hotelIDType: 'SANDBOX_PMS', user: 'web', datetime: '2026-11-27T19:00:00' },
    ...{ serviceProvider: 'SANDBOX_HOSTED', resNo: 'booking', description: '', amount: '12000', currency: 'EUR' },
    ...{ callbackSuccessUrl: url, callbackAbortUrl: url },
  };
  // An id ends with how many there were. The same calls give the same ids.
  const order = (requestID: unknown): string => String(requestID).slice(-4);
  for (const { session, requestID } of attempts.sort((one, other) =>
    order(one.requestID) < order(other.requestID) ? -1 : 1,
  )) {
    let made: unknown = '0000';
    while (order(made) < order(requestID)) {
      ({ requestID: made } = await post('/V2/1234/initpayNoIframe', { ...fields, cardInfoRefID: `${session}-1` }));
    }
    if (made !== requestID) throw new Error(`The sandbox of today has given ${session} another id: ${made}`);
  }
  return attempts.map((attempt) => ({ ...attempt, returnPath: `/return/${attempt.session}/${NONCE}/success` }));
}

function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** What each class of objects keeps its rows in here. One that was only asked has no table. */
const TABLES = { CheckoutSessionObject: 'object', LedgerObject: 'desk_session' } as const;

/** Runs a statement in every object of a class. */
function run(objects: string, type: keyof typeof TABLES, sql: string, ...values: string[]): Record<string, unknown>[] {
  const folder = join(objects, `innkeep-${type}`);
  const files = readdirSync(folder).filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name));
  return files.flatMap((name) => {
    const database = new DatabaseSync(join(folder, name));
    const table = database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(TABLES[type]);
    const rows = table === undefined ? [] : database.prepare(sql).all(...values);
    database.close();
    return rows;
  });
}
