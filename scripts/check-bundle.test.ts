import { expect, it } from 'vitest';
import { findBundleProblems, isBrowserModule, isDefaultWorkerModule } from './check-bundle.ts';

const RULES = { words: ['access_token', '/login'], mayContain: isBrowserModule };

it('accepts a bundle of browser code', () => {
  const modules = [
    'packages/core/dist/checkout/checkout-client.js',
    'packages/core/dist/errors.js',
    'node_modules/.pnpm/lit@3/node_modules/lit/index.js',
  ];
  expect(findBundleProblems({ name: 'checkout', text: 'fetch(a+"/v1/checkout")', modules }, RULES)).toEqual([]);
});

it('finds a forbidden word', () => {
  expect(findBundleProblems({ name: 'checkout', text: 'fetch(a+"/login")', modules: [] }, RULES)).toEqual([
    { file: 'checkout', message: expect.stringContaining('/login') },
  ]);
});

it.each([
  'packages/core/dist/auth/login.js',
  'packages/core/dist/client.js',
  'packages/edge-proxy/dist/app.js',
  'node_modules/ky/index.js',
])('finds %s in a browser bundle', (module) => {
  expect(findBundleProblems({ name: 'checkout', text: 'x', modules: [module] }, RULES)).toEqual([
    { file: 'checkout', message: expect.stringContaining(module) },
  ]);
});

it('knows what the default worker must not contain', () => {
  expect(isDefaultWorkerModule('packages/core/dist/operations/create-token.js')).toBe(false);
  expect(isDefaultWorkerModule('packages/edge-proxy/dist/worker-moto.js')).toBe(false);
  expect(isDefaultWorkerModule('packages/core/dist/operations/init-create-token-no-iframe.js')).toBe(true);
});

it('refuses an empty bundle', () => {
  expect(findBundleProblems({ name: 'checkout', text: '', modules: [] }, RULES)).toHaveLength(1);
});
