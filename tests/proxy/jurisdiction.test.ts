// On a machine of one's own everything is where the machine is: a place that was promised is refused at the start.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveProxy } from '@innkeep/edge-proxy/serve';
import { afterAll, expect, test } from 'vitest';
import { environment } from './support/proxy-under-test.ts';

const root = mkdtempSync(join(tmpdir(), 'innkeep-jurisdiction-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test.each(['eu', 'europe'])('JURISDICTION=%s does not start', async (jurisdiction) => {
  const envFile = join(root, 'proxy.env');
  writeFileSync(envFile, `${environment('http://127.0.0.1:1')}JURISDICTION=${jurisdiction}\n`);
  await expect(serveProxy({ port: 1, envFile, dataDir: join(root, 'data') })).rejects.toThrow(
    `${envFile}: JURISDICTION is for Cloudflare: here everything is stored on this machine, so take the line out`,
  );
});
