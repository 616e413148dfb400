// A copy of the folder that was made while the proxy ran: its ledger is newer than the objects, and some of those are empty.
import { globSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refuseLostIdKey } from '../../packages/edge-proxy/dist/runtime/serve-id-key.js';
import { type Json, type MoneyStack, startMoneyStack, until } from '../support/money-stack.ts';
import { saidDuring } from './support/environment.ts';

let proxy: MoneyStack;
beforeAll(async () => {
  proxy = await startMoneyStack();
});
afterAll(() => proxy?.close());

test('what the ledger knows and its object has lost is not made again: no key takes the money twice', async () => {
  const amount = { value: 12_000, currency: 'EUR' };
  const token = await proxy.storeCard();
  const charge = (key: string) =>
    proxy.call('/v1/charges', { key, body: { amount, reference: key, reason: 'no_show', token } });
  const charged = await charge('lost');
  const refund = () =>
    proxy.call('/v1/reversals', { key: 'lost', body: { payment: charged.body.id, amount: { ...amount, value: 100 } } });
  const create = () =>
    proxy.call('/v1/checkout-sessions', { key: 'lost', body: { kind: 'payment', amount, reference: 'LOST' } });
  const ensure = () =>
    proxy.call('/v1/checkout-sessions/by-key/lost', {
      method: 'PUT',
      body: { kind: 'payment', amount, reference: 'KEY' },
    });
  const calls = [() => charge('lost'), refund, create, ensure];
  for (const call of calls) expect((await call()).status).toBe(201);
  const isListed = async () =>
    Promise.all(['charges', 'reversals', 'checkout-sessions'].map((path) => proxy.call(`/v1/${path}`)));
  await until(isListed, (lists) => lists.flatMap(({ body }) => body.data as Json[]).length === 4);
  const { charges, reversals } = proxy.sandbox.control.ledger();

  await proxy.kill();
  const objects = join(proxy.dataDir, 'storage/objects/innkeep-{MoneyOperation,CheckoutSession}Object');
  for (const file of globSync(join(objects, '*.sqlite-wal'))) rmSync(file);
  const [said] = await saidDuring(() => proxy.restart());
  expect(said).toContain('metadata.sqlite: no such table: _cf_ALARM');

  for (const call of calls) expect(await call()).toMatchObject({ status: 500, body: { code: 'internal' } });
  expect(proxy.sandbox.control.ledger()).toMatchObject({ charges, reversals });
  expect(proxy.output()).toContain(`${charged.body.id} is in the ledger, and its file is lost`);
  // Whoever is not concerned is served as before.
  expect((await charge('another')).status).toBe(201);
});

test.each<[how: string, lose: (file: string) => void]>([
  ['is missing', (file) => rmSync(file)],
  ['is empty', (file) => truncateSync(file)],
  ['is a page without tables', (file) => (file.endsWith('.sqlite') ? truncateSync(file, 4_096) : rmSync(file))],
])('no key is used anew because the key of all ids %s: the proxy does not start', async (_, lose) => {
  await proxy.kill();
  const files = globSync(join(proxy.dataDir, 'storage/objects/innkeep-IdKeyObject/*'));
  const kept = files.map((file) => [file, readFileSync(file)] as const);
  for (const file of files) if (/[0-9a-f]{64}\.sqlite/.test(file)) lose(file);
  await expect(proxy.restart()).rejects.toThrow('innkeep-IdKeyObject is lost');
  for (const [file, content] of kept) writeFileSync(file, content);
  await proxy.restart();
});

test('while the key of all ids is there, a start reads none of the payments: there may be millions', () => {
  const folder = join(proxy.dataDir, 'many');
  mkdirSync(join(folder, 'innkeep-IdKeyObject'), { recursive: true });
  writeFileSync(join(folder, 'innkeep-IdKeyObject', `${'a'.repeat(64)}.sqlite`), 'x'.repeat(8_192));
  // Whoever reads it fails.
  writeFileSync(join(folder, 'innkeep-CheckoutSessionObject'), '');
  expect(() => refuseLostIdKey(folder)).not.toThrow();
});
