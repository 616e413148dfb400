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

test('every slash at the end of the base address goes', () => {
  const { url } = toGatewayRequest({ ...FACTS, baseUrl: 'https://pay.test/api//' }, CALL);
  expect(url).toBe('https://pay.test/api/12%2F34/API/RMS/roomreq');
});
