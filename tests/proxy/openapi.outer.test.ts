import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('the API’s description is clean for a public linter’s strictest rules', () => {
  const script = fileURLToPath(new URL('../../packages/edge-proxy/scripts/lint-openapi.ts', import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  expect(stdout).toBe('0 problems\n');
  expect(status).toBe(0);
});
