import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningProxy, type ServeOptions, serveProxy } from '@innkeep/edge-proxy/serve';
import { vi } from 'vitest';
import { freePort } from '../../../scripts/launch.ts';
import { hotelAt, SANDBOX_LOGIN } from '../../support/sandbox-hotel.ts';

export const MERCHANT_KEY = `sk_test_${'blackbox'.repeat(4)}`;

/** One usable hotel in `.dev.vars` form. */
export function environment(upstreamUrl: string): string {
  const sha256 = createHash('sha256').update(MERCHANT_KEY).digest('hex');
  const merchantKeys = [{ id: 'web', sha256, scopes: ['checkout', 'events'] }];
  return `PROPERTY_AURORA='${JSON.stringify({ ...hotelAt(upstreamUrl), ...SANDBOX_LOGIN, merchantKeys })}'\n`;
}

/** Serves a proxy with these settings, in this process and without a word, its file and its data in a folder. */
export async function serveIn(
  folder: string,
  settings: string,
  options: Partial<ServeOptions> = {},
): Promise<RunningProxy> {
  const envFile = join(folder, 'proxy.env');
  writeFileSync(envFile, settings, { mode: 0o600 });
  const usual = { port: await freePort(), envFile, dataDir: join(folder, 'data'), onLine: () => undefined };
  return serveProxy({ ...usual, ...options });
}

/** What is written to this process's standard error meanwhile, line by line. */
export async function saidDuring(work: () => Promise<unknown>): Promise<string[]> {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    await work();
    return write.mock.calls.map(([text]) => String(text));
  } finally {
    write.mockRestore();
  }
}
