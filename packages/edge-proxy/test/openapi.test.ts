import { expect, test } from 'vitest';
import { openApiDocument } from '../openapi/document.ts';
import { OPERATIONS } from '../openapi/operations.ts';
import manifest from '../package.json' with { type: 'json' };
import { ALL_ROUTES } from '../src/routes/all-routes.ts';
import { VERSION } from '../src/version.ts';
import { send } from '../test-support/client.ts';

test('the document describes every route, and no other', () => {
  const name = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;
  expect(OPERATIONS.map(name).sort()).toEqual(ALL_ROUTES.map(name).sort());
});

test('the document that is served is the one the sources make: build again if not', async () => {
  const answer = await send('/openapi.json');
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
  expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument(VERSION))));
});

test('the version is the package’s', async () => {
  expect(VERSION).toBe(manifest.version);
  expect(await (await send('/healthz')).json()).toEqual({ status: 'ok', version: manifest.version });
});

test('every operation has a name of its own', () => {
  expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length);
});
