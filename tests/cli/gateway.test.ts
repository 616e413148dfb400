// Gateway messages: bytes in, bytes out, sent once.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { ownFolder } from '../support/own-folder.ts';
import { type FakeAnswer, problem, startFakeProxy } from './fake-proxy.ts';
import { ended, runInnkeep } from './run-innkeep.ts';

/** Every byte there is, most of which are no UTF-8. */
const ALL_BYTES = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

const folder = ownFolder();
const proxy = await startFakeProxy();
afterAll(() => proxy.close());
const env = { INNKEEP_ENDPOINT: proxy.url, INNKEEP_SECRET_KEY: 'sk_test_gateway_only' };

const answer = (text: string | Buffer, type = 'text/xml; charset=ISO-8859-1', status = 200): FakeAnswer => ({
  ...{ status, text },
  headers: { 'content-type': type },
});
beforeEach(() => proxy.answer(() => answer(ALL_BYTES)));

const seen = () =>
  proxy.requests.map(({ path, headers, bytes }) => ({ path, contentType: headers['content-type'], body: bytes }));

const KEEP_ALIVE = ['gateway', 'send', 'RMS/keepalivereq', '--xml', 'OC=KA', 'TN=1', 'status=0'];

describe('innkeep gateway send', () => {
  it('passes the bytes of a file on, and the answer’s bytes back, unchanged', async () => {
    const path = join(folder, 'body.bin');
    await writeFile(path, ALL_BYTES);
    const words = ['gateway', 'send', 'RMS/roomreq', '--body', path, '--content-type', 'application/octet-stream'];
    const { exitCode, stdout } = await runInnkeep([...words, '--json'], { env });
    expect(exitCode).toBe(0);
    expect(seen()).toEqual([
      { path: '/v1/gateway/RMS/roomreq', contentType: 'application/octet-stream', body: ALL_BYTES },
    ]);
    expect(JSON.parse(stdout)).toEqual({
      contentType: 'text/xml; charset=ISO-8859-1',
      bytes: 256,
      base64: ALL_BYTES.toString('base64'),
    });
  });

  it('writes the answer into a private file', async () => {
    const run = await runInnkeep([...KEEP_ALIVE, '--out', 'answer.xml'], { env, cwd: folder });
    expect([run.exitCode, run.stdout]).toEqual([0, '']);
    expect(await readFile(join(folder, 'answer.xml'))).toEqual(ALL_BYTES);
    if (process.platform !== 'win32') expect((await stat(join(folder, 'answer.xml'))).mode & 0o777).toBe(0o600);
  });

  it('makes an XML document in ISO-8859-1', async () => {
    proxy.answer(() => answer('<ok/>', 'text/xml'));
    const run = await runInnkeep([...KEEP_ALIVE, 'name=Müller'], { env });
    expect([run.exitCode, run.stdout]).toEqual([0, '<ok/>']);
    expect(seen()[0]?.contentType).toBe('text/xml; charset=ISO-8859-1');
    expect(seen()[0]?.body.toString('latin1')).toContain('<OC>KA</OC><TN>1</TN><status>0</status><name>Müller</name>');
  });

  it('makes form parameters', async () => {
    await runInnkeep(['gateway', 'send', 'RMS/roomreq', '--form', 'transno=1', 'extraInfo=A;B=C'], { env });
    expect(seen()[0]?.body.toString()).toBe('transno=1&extraInfo=A%3BB%3DC');
  });

  it('guesses the content type of a body from its beginning', async () => {
    const path = join(folder, 'message.xml');
    await writeFile(path, '<?xml version="1.0" encoding="ISO-8859-1"?><SIHOT-Document/>');
    await runInnkeep(['gateway', 'send', 'RMS/a', '--body', path], { env });
    const spaced = `<?xml version = "1.0" encoding = "ISO-8859-1" ?><SIHOT-Document/>`;
    await runInnkeep(['gateway', 'send', 'RMS/a', '--body', '-'], { env, input: spaced });
    await runInnkeep(['gateway', 'send', 'RMS/a', '--body', '-'], { env, input: 'transno=1' });
    expect(seen().map(({ contentType }) => contentType)).toEqual([
      'text/xml; charset=ISO-8859-1',
      'text/xml; charset=ISO-8859-1',
      'application/x-www-form-urlencoded',
    ]);
  });

  it.each<[string, Uint8Array, string]>([
    [
      'UTF-8',
      Buffer.from('\ufeff<?xml version="1.0" encoding="ISO-8859-1"?><SIHOT-Document/>'),
      'text/xml; charset=UTF-8',
    ],
    [
      'UTF-16',
      Buffer.from('\ufeff<?xml version="1.0" encoding="UTF-16"?><SIHOT-Document/>', 'utf16le'),
      'text/xml; charset=UTF-16',
    ],
    ['big-endian UTF-16', Buffer.from('\ufeff<SIHOT-Document/>', 'utf16le').swap16(), 'text/xml; charset=UTF-16'],
    ['UTF-8 before a form', Buffer.from('\ufefftransno=1'), 'application/x-www-form-urlencoded'],
  ])('sees through a byte order mark of %s, and sends it on', async (_charset, body, contentType) => {
    const path = join(folder, 'marked.xml');
    await writeFile(path, body);
    await runInnkeep(['gateway', 'send', 'RMS/a', '--body', path], { env });
    expect(seen()).toEqual([{ path: '/v1/gateway/RMS/a', contentType, body }]);
  });

  it('says in its help what content type a body has unless it is given one', async () => {
    const { stdout } = await runInnkeep(['gateway', 'send', '--help']);
    expect(stdout.replace(/\s+/g, ' ')).toContain('content type of --body (default: by its first character)');
  });

  it('ends with 2 for a content type that no header can carry', async () => {
    const words = ['gateway', 'send', 'RMS/a', '--body', '-', '--content-type', 'text/xml; €'];
    const { exitCode, stderr } = await runInnkeep(words, { env, input: 'a=1' });
    expect([exitCode, stderr, seen()]).toEqual([2, expect.stringContaining('body.contentType'), []]);
  });

  it.each([
    ['empty', '', 'it is empty'],
    ['a web page', '\n<!DOCTYPE html><h1>Back soon</h1>', 'it is a web page'],
  ])('ends with 3 when the answer is %s, and passes it on', async (_what, text, reason) => {
    proxy.answer(() => answer(text, 'text/html'));
    const run = await runInnkeep(KEEP_ALIVE, { env });
    expect([run.exitCode, run.stdout, seen().length]).toEqual([3, text, 1]);
    expect(run.stderr).toContain(`The answer cannot be used (${reason}). The message may have been carried out.`);
  });

  const page = (status: number): FakeAnswer => answer('<h1>no</h1>', 'text/html', status);

  it.each<[string, FakeAnswer]>([
    ['no answer comes', 'drop'],
    ['the gateway answered badly, or cannot be reached', problem(502, 'upstream_error')],
    ['the gateway answered with a status that says nothing', problem(502, 'upstream_error', { upstreamStatus: 500 })],
    ['something says 401 without the gateway', problem(502, 'upstream_rejected', { upstreamStatus: 401 })],
    ['the gateway did not answer in time', problem(504, 'upstream_timeout')],
    ['the proxy failed', problem(500, 'internal')],
    ['a web server in front gave up', page(504)],
    ['something else answered', page(404)],
  ])('sends once, and ends with 3 when %s', async (_what, given) => {
    proxy.answer(() => given);
    const run = await runInnkeep([...KEEP_ALIVE, '--json'], { env });
    expect([run.exitCode, seen().length]).toEqual([3, 1]);
    expect(run.stderr).toContain('"code":"outcome_unknown"');
    expect(run.stderr).toMatch(/(\w|\(UND_ERR_SOCKET\))\. The message may have been carried out\./);
    expect(run.stderr).toContain('check the property-management system first');
  });

  it('ends with 3 when the answer came and cannot be kept', async () => {
    const run = await runInnkeep([...KEEP_ALIVE, '--out', join(folder, 'missing/answer.xml')], { env });
    expect([run.exitCode, seen().length]).toEqual([3, 1]);
    expect(run.stderr).toContain('cannot be written (ENOENT)');
  });

  it.each([
    ['forbidden', 403, '"code":"forbidden"'],
    ['unauthorized', 401, '"code":"unauthorized"'],
    ['payload_too_large', 413, '"code":"payload_too_large"'],
    ['rate_limited', 429, '"code":"rate_limited"'],
    ['upstream_unavailable', 503, '"code":"upstream_unavailable"'],
    ['property_unavailable', 503, '"code":"property_unavailable"'],
    // What refuses the key.
    ['upstream_error', 502, 'Check gateway.apiKey', 401],
    ['upstream_error', 502, 'Check gateway.apiKey', 403],
  ])(
    'sends once, and ends with 1 for %s (%i), which says that nothing was done',
    async (code, status, text, upstreamStatus?: number) => {
      proxy.answer(() => problem(status, code, { upstreamStatus }));
      expect(await runInnkeep([...KEEP_ALIVE, '--json'], { env })).toMatchObject(ended(1, text));
      expect(seen()).toHaveLength(1);
    },
  );

  it.each([
    [['gateway', 'send', 'RMS', '--form', 'a=1'], 'Write it as RMS/keepalivereq'],
    [['gateway', 'send', 'RMS/x'], 'There is nothing to send'],
    [['gateway', 'send', 'RMS/x', '--form', 'a'], 'is not name=value'],
    [['gateway', 'send', 'RMS/x', '--form', 'a=1', 'a=2'], 'a was given twice'],
    [['gateway', 'send', 'RMS/../x', '--form', 'a=1'], 'is not protocol/method'],
    [['gateway', 'send', 'RMS/x', '--body', 'missing.xml'], 'cannot be read (ENOENT)'],
  ])('sends nothing for %j', async (words, message) => {
    const run = await runInnkeep(words, { env, cwd: folder });
    expect([run.exitCode, seen().length]).toEqual([2, 0]);
    expect(run.stderr).toContain(message);
  });
});
