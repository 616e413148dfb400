import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let root: string;

/** A clone in which everything is installed, and a pnpm that only says what it was asked. */
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'innkeep-pnpm-')));
  for (const folder of ['scripts', 'node_modules/vitest', 'packages/core']) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  copyFileSync(join(import.meta.dirname, 'pnpm.mjs'), join(root, 'scripts/pnpm.mjs'));
  writeFileSync(join(root, 'package.json'), '{"packageManager":"pnpm@1.2.3"}');
  writeFileSync(join(root, 'node_modules/.pnpm-path'), `pnpm/1.2.3\n${join(root, 'pnpm')}\n`);
  writeFileSync(join(root, 'pnpm'), '#!/bin/sh\necho "$@"\n');
  chmodSync(join(root, 'pnpm'), 0o755);
});

afterEach(() => rmSync(root, { recursive: true }));

const run = (...words: string[]): string =>
  execFileSync(process.execPath, ['scripts/pnpm.mjs', ...words], { cwd: root, encoding: 'utf8' });

test('runs pnpm in the clone, or in the one folder that the command names', () => {
  expect(run('check:size')).toBe(`-C ${root}/ check:size\n`);
  expect(run('-C', 'packages/core', 'check:size')).toBe(`-C ${join(root, 'packages/core')} check:size\n`);
});
