import { GatewayCallSchema } from '@innkeep/core/contract';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { isAllowedGatewayCall } from './gateway-request.ts';

test('allows exactly what is listed', () => {
  expect(isAllowedGatewayCall(['RMS/roomreq'], 'RMS', 'roomreq')).toBe(true);
  expect(isAllowedGatewayCall(['RMS/roomreq'], 'RMS', 'Roomreq')).toBe(false);
  expect(isAllowedGatewayCall(['RMS/roomreq'], 'RMS/roomreq', '')).toBe(false);
});

test.each(['', '.', '..', 'a/b', 'a b', 'ä', '%2e', 'a?b', 'a#b'])('%j is no segment', (text) => {
  expect(v.is(GatewayCallSchema, { protocol: text, method: 'roomreq' })).toBe(false);
  expect(v.is(GatewayCallSchema, { protocol: 'RMS', method: text })).toBe(false);
});

test.each(['a', 'roomreq', '.a', 'a.b', '...', 'A-1_2'])('%j is a segment', (text) => {
  expect(v.is(GatewayCallSchema, { protocol: text, method: text })).toBe(true);
});
