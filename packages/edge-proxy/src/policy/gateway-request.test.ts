import { expect, test } from 'vitest';
import { type GatewayFacts, isAllowedGatewayCall, isGatewaySegment, toGatewayRequest } from './gateway-request.ts';

const KEY = '0123456789012345678901234567890123456789';
const GATEWAY = { apiKey: KEY, apiKeyIn: 'header', allow: ['RMS/roomreq'] } as const;
const FACTS: GatewayFacts = { baseUrl: 'https://pay.test/api/', customerId: '12/34', gateway: GATEWAY };
const CALL = { protocol: 'RMS', method: 'roomreq', contentType: 'text/xml' };

test('puts the key where the property says', () => {
  const url = 'https://pay.test/api/12%2F34/API/RMS/roomreq';
  const headers = { 'cache-control': 'no-cache', 'content-type': 'text/xml' };
  expect(toGatewayRequest(FACTS, CALL)).toEqual({ url, headers: { ...headers, 'x-api-key': KEY } });
  const basic = toGatewayRequest({ ...FACTS, gateway: { ...GATEWAY, apiKeyIn: 'basic' } }, CALL);
  expect(basic).toEqual({ url, headers: { ...headers, authorization: `Basic ${btoa(`${KEY}:`)}` } });
  const query = toGatewayRequest({ ...FACTS, gateway: { ...GATEWAY, apiKeyIn: 'query' } }, CALL);
  expect(query).toEqual({ url: `${url}?api_key=${KEY}`, headers });
});

test('adds the product id as a header or to the query', () => {
  const inHeader = { ...GATEWAY, productId: { value: 'P 1', in: 'header', name: 'x-product' } } as const;
  expect(toGatewayRequest({ ...FACTS, gateway: inHeader }, CALL).headers['x-product']).toBe('P 1');
  const inQuery = { ...GATEWAY, productId: { value: 'P 1', in: 'query', name: 'pid' } } as const;
  expect(toGatewayRequest({ ...FACTS, gateway: inQuery }, CALL).url).toMatch(/\?pid=P\+1$/);
});

test('sends no content type that the caller did not give', () => {
  expect(toGatewayRequest(FACTS, { ...CALL, contentType: null }).headers).not.toHaveProperty('content-type');
});

test('allows exactly what is listed', () => {
  expect(isAllowedGatewayCall(FACTS, 'RMS', 'roomreq')).toBe(true);
  expect(isAllowedGatewayCall(FACTS, 'RMS', 'Roomreq')).toBe(false);
  expect(isAllowedGatewayCall(FACTS, 'RMS/roomreq', '')).toBe(false);
});

test.each(['', '.', '..', 'a/b', 'a b', 'ä', '%2e', 'a?b', 'a#b'])('%j is no segment', (text) => {
  expect(isGatewaySegment(text)).toBe(false);
});
