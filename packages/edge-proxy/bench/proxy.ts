/**
 * `pnpm bench proxy`: what the proxy costs beside floors that do the same I/O without product code, in one run under
 * `workerd serve`. Rounds are short and alternate; what counts is the median of their ratios. CPU is the runtime's own process
 * time, so other work on the machine blurs it, but hardly the ratio. Then sessions whose guests have gone away: how late the looks
 * are, what they cost, and how long a read waits beside them. `--quick` measures less, `--watch=5000` only so many pending sessions.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compare, KINDS, type Kind } from './compare.ts';
import { watchMany } from './pending.ts';
import { startFloor, startHono, startProduct } from './subjects.ts';
import { startUpstream } from './upstream.ts';

const { quick: isQuick = false, watch } = parseArgs({
  options: { quick: { type: 'boolean' }, watch: { type: 'string' } },
}).values;
const ROUNDS = isQuick ? 5 : 15;

const root = mkdtempSync(join(tmpdir(), 'innkeep-bench-'));
const upstream = await startUpstream();
try {
  if (watch === undefined) {
    const product = await startProduct(join(root, 'product'), upstream);
    const floor = await startFloor(join(root, 'floor'), upstream);
    const hono = await startHono(join(root, 'hono'));
    const rows: Record<string, Awaited<ReturnType<typeof compare>>> = {};
    for (const kind of Object.keys(KINDS) as Kind[]) {
      rows[KINDS[kind].label] = await compare(product, kind === 'health' ? hono : floor, kind, ROUNDS);
    }
    console.table(rows);
    for (const { runtime } of [product, floor, hono]) await runtime.stop();
  }
  const watched = watch?.split(',').map(Number) ?? (isQuick ? [200] : [1_000, 10_000]);
  for (const sessions of watched) {
    const product = await startProduct(join(root, `watch-${sessions}`), upstream);
    await watchMany(product, upstream, { sessions, settleMs: isQuick ? 32_000 : 45_000 });
    await product.runtime.stop();
  }
} finally {
  upstream.close();
  rmSync(root, { recursive: true, force: true });
}
process.exit(process.exitCode ?? 0);
