// The table for the acquirer's statement: as it came, to a file or to the next program.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ownFolder } from '../support/own-folder.ts';
import { EXPORT, goodProxy, problem, startFakeProxy } from './fake-proxy.ts';
import { ended, runInnkeep } from './run-innkeep.ts';

const MARCH = ['export', 'csv', '--from', '2026-03-01', '--to', '2026-04-01'];
const folder = ownFolder();
const proxy = await startFakeProxy();
afterAll(() => proxy.close());
const env = { INNKEEP_ENDPOINT: proxy.url, INNKEEP_SECRET_KEY: 'sk_test_export_only' };

it('writes the table to standard output as it came, and the count beside it', async () => {
  proxy.answer(goodProxy);
  const run = await runInnkeep(MARCH, { env });
  expect([run.exitCode, run.stdout]).toEqual([0, EXPORT]);
  expect(run.stderr).toBe('1 rows\n');
  expect(proxy.requests.map(({ path }) => path)).toEqual(['/v1/export.csv?from=2026-03-01&to=2026-04-01']);
});

it('exports by completion', async () => {
  proxy.answer(goodProxy);
  expect((await runInnkeep([...MARCH, '--by', 'completed'], { env })).exitCode).toBe(0);
  expect(proxy.requests.map(({ path }) => path)).toEqual([
    '/v1/export.csv?completedFrom=2026-03-01&completedTo=2026-04-01',
  ]);
});

it('writes it into a private file', async () => {
  const run = await runInnkeep([...MARCH, '--out', 'march.csv'], { env, cwd: folder });
  expect([run.exitCode, run.stdout]).toEqual([0, '']);
  expect(await readFile(join(folder, 'march.csv'), 'utf8')).toBe(EXPORT);
  if (process.platform !== 'win32') expect((await stat(join(folder, 'march.csv'))).mode & 0o777).toBe(0o600);
});

it('gives scripts JSON', async () => {
  expect(JSON.parse((await runInnkeep([...MARCH, '--json'], { env })).stdout)).toEqual({ csv: EXPORT });
  const file = await runInnkeep([...MARCH, '--json', '--out', 'march.csv'], { env, cwd: folder });
  expect(JSON.parse(file.stdout)).toEqual({ out: 'march.csv', bytes: Buffer.byteLength(EXPORT) });
});

it('says which day the proxy does not take, and writes no file', async () => {
  proxy.answer(() => problem(400, 'invalid_request', { param: 'to' }));
  const run = await runInnkeep([...MARCH, '--out', 'none.csv'], { env, cwd: folder });
  expect(run).toMatchObject({ ...ended(1, 'to'), stdout: '' });
  await expect(stat(join(folder, 'none.csv'))).rejects.toMatchObject({ code: 'ENOENT' });
});

it('says what to do about a table that is too large to be read whole', async () => {
  proxy.answer(() => ({ status: 200, text: EXPORT.padEnd(70_000_000), headers: { 'content-type': 'text/csv' } }));
  const { exitCode, stderr } = await runInnkeep(MARCH, { env });
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Ask for a shorter range')]);
  expect(stderr).not.toContain('INNKEEP_ENDPOINT');
});

it.each([[['export', 'csv', '--from', '2026-03-01']], [['export', 'csv', '--to', '2026-03-01']]])(
  'asks nothing with %j',
  async (words) => {
    proxy.answer(goodProxy);
    const run = await runInnkeep(words, { env });
    expect([run.exitCode, proxy.requests.length]).toEqual([2, 0]);
  },
);
