/** How many updates one ledger takes, without the objects of the payments. */
import { join } from 'node:path';
import { KINDS } from '../../src/ledger/ledger-storage.ts';
import { startRuntime } from '../runtime.ts';
import { configuration } from '../subjects.ts';
import { payment } from './payments.ts';

/** Tells the ledger of that folder of new payments. */
export async function measureAppends(
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<Record<string, object>> {
  const runtime = await startRuntime({
    folder,
    source: join(import.meta.dirname, 'worker.ts'),
    configuration: (paths) => configuration(paths, env, { objects: ['LedgerObject'], prefix: 'innkeep-' }),
    env,
  });
  const rows: Record<string, object> = {};
  for (const kind of KINDS) {
    const now = Date.now();
    const updates = Array.from({ length: 5_000 }, (_, nth) => payment(now + nth, kind, now + nth));
    const cpuBefore = runtime.cpuMs();
    const startedAt = performance.now();
    const answer = await fetch(runtime.url, { method: 'POST', body: JSON.stringify(updates) });
    if (!answer.ok) throw new Error(await answer.text());
    rows[`${kind}s`] = {
      'per second': Math.round(updates.length / ((performance.now() - startedAt) / 1_000)),
      'CPU each, µs': Math.round(((runtime.cpuMs() - cpuBefore) * 1_000) / updates.length),
    };
  }
  await runtime.stop();
  return rows;
}
