/** A `JURISDICTION` that this runtime cannot honor, as workerd honors none, is said by everything, the health check first. */
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import * as moto from '../src/moto.ts';
import { PlacedObject } from '../src/objects/placed-object.ts';
import { createWorker } from '../src/runtime/worker-app.ts';
import { useFakes } from '../test-support/harness.ts';

useFakes();

test.each(['europe', 'eu'])('with %j nothing is served, and the log says why', async (JURISDICTION) => {
  const lines: unknown[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void lines.push(JSON.parse(String(line))));
  const worker = createWorker();
  const ask = async (path: string): Promise<unknown[]> => {
    const answer = await worker.fetch(
      new Request(`https://proxy.test${path}`) as Parameters<typeof worker.fetch>[0],
      { ...env, JURISDICTION },
      {} as ExecutionContext,
    );
    const { code, param } = (await answer.json()) as Record<string, unknown>;
    return [answer.status, code, param];
  };
  for (const path of ['/healthz', '/v1/checkout', '/v1/checkout-sessions']) {
    expect(await ask(path)).toEqual([503, 'property_unavailable', 'JURISDICTION']);
  }
  expect(lines).toContainEqual({
    level: 'error',
    message: 'jurisdiction_unavailable',
    issue: expect.stringContaining(`JURISDICTION is "${JURISDICTION}", which this runtime cannot honor`),
  });
});

test('every object stays among those of its own place', () => {
  const classes = Object.entries(moto).filter(([name]) => name.endsWith('Object'));
  expect(classes).toHaveLength(8);
  for (const [name, { prototype }] of classes) expect([name, prototype instanceof PlacedObject]).toEqual([name, true]);
});
