import { expect, test } from 'vitest';
import { isAllowedGatewayCall, isGatewaySegment } from './gateway-request.ts';

test('allows exactly what is listed', () => {
  expect(isAllowedGatewayCall(['RMS/roomreq'], 'RMS', 'roomreq')).toBe(true);
  expect(isAllowedGatewayCall(['RMS/roomreq'], 'RMS', 'Roomreq')).toBe(false);
  expect(isAllowedGatewayCall(['RMS/roomreq'], 'RMS/roomreq', '')).toBe(false);
});

test.each(['', '.', '..', 'a/b', 'a b', 'ä', '%2e', 'a?b', 'a#b'])('%j is no segment', (text) => {
  expect(isGatewaySegment(text)).toBe(false);
});

test.each(['a', 'roomreq', '.a', 'a.b', '...', 'A-1_2'])('%j is a segment', (text) => {
  expect(isGatewaySegment(text)).toBe(true);
});
