// A folder of data that an earlier release has written, opened with the proxy of today: every request is made again.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from './calls.ts';
import { type Golden, type OpenGolden, openGolden, SENT_ONCE } from './golden.ts';

const VERSIONS = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && /^\d/.test(entry.name))
  .map(({ name }) => name);

describe.each(VERSIONS)('the data of %s', (version) => {
  const folder = join(import.meta.dirname, version);
  const golden = JSON.parse(readFileSync(join(folder, 'golden.json'), 'utf8')) as Golden; // Written by `make-golden.ts`.
  let opened: OpenGolden | undefined;
  let answers: Record<string, Answer> = {};
  let calls: string[] = [];

  beforeAll(async () => {
    opened = await openGolden(join(folder, 'data.tar.zst'), golden);
    answers = await opened.readAll();
    calls = opened.upstreamCalls();
  });
  afterAll(() => opened?.close());

  // What a later release adds to an answer is no change.
  test('answers every request as it did, and can all be read', () => {
    expect(Object.keys(golden.answers).length).toBeGreaterThan(100);
    for (const [name, answer] of Object.entries(golden.answers)) expect.soft(answers[name], name).toMatchObject(answer);
  });

  test('sends nothing to the payment service again', () => {
    // It was asked at all.
    expect(calls).toContain('login');
    expect(calls.filter((operation) => SENT_ONCE.includes(operation))).toEqual([]);
  });

  // Last: from here on something is sent.
  test('can be gone on with', async () => {
    const next = (await opened?.goOn()) ?? {};
    for (const [name, answer] of Object.entries(golden.next)) expect.soft(next[name], name).toMatchObject(answer);
  });

  test('is used without an error', () => {
    expect(opened?.errors()).toEqual([]);
  });
});
