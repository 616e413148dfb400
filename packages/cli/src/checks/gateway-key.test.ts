import type { PropertyInput } from '@innkeep/core/contract';
import { expect, it } from 'vitest';
import type { Io } from '../process/io.ts';
import { checkGatewayKey } from './gateway-key.ts';

const PROPERTY = {
  baseUrl: 'https://pay.example',
  customerId: '1',
  timeZone: 'Europe/Vienna',
  gateway: { apiKey: '0123456789'.repeat(4), allow: [] },
} as unknown as PropertyInput;

function check(body: string, contentType: string, property: PropertyInput = PROPERTY) {
  const fetch = async () => new Response(body, { headers: { 'content-type': contentType } });
  return checkGatewayKey({ fetch, now: () => new Date(0), signal: undefined } as unknown as Io, property);
}

it.each([
  ['<SIHOT-Document><RC>0</RC></SIHOT-Document>', 'text/html'],
  ['OK', 'text/plain'],
])('takes %j as %s for an answer of the gateway', async (body, contentType) => {
  expect(await check(body, contentType)).toMatchObject({ status: 'ok' });
});

it.each([
  ['<!doctype html><h1>Maintenance</h1>', 'text/html', 'web page'],
  ['', 'text/xml', 'empty body'],
  ['<SIHOT-Document><RC>1</RC></SIHOT-Document>', 'text/html', 'RC in the reply says so'],
])('finds that %j as %s is none', async (body, contentType, message) => {
  expect(await check(body, contentType)).toMatchObject({
    status: 'problem',
    message: expect.stringContaining(message),
    fix: expect.stringContaining('Check baseUrl'),
  });
});

it('names the setting that no gateway call can be made with', async () => {
  const gateway = { apiKey: ' '.repeat(40), allow: [] };
  expect(await check('', '', { ...PROPERTY, gateway })).toMatchObject({
    status: 'problem',
    message: expect.stringContaining('apiKey'),
    fix: 'Correct this setting: no gateway message can be sent with it.',
  });
});
