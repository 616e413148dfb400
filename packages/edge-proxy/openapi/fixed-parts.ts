/** The parts of the OpenAPI documents that follow from no schema: headers, bodies that are no JSON, and webhooks. */
import type { ProblemCode } from '@innkeep/core/contract';
import type { Tag } from '../src/properties/resource-app.ts';
import type { HeaderName } from './operation-text.ts';

/** Headings, with what is below them. */
export const TAGS: Readonly<Record<Tag, string>> = {
  'Checkout sessions': 'For the hotel’s server.',
  Guest: 'For the guest’s page, from the property’s origins.',
  'Charges and reversals': 'For the hotel’s own systems. Nothing here is ever sent twice.',
  Payments: 'For staff: a line per payment, whatever it comes from.',
  Cards: 'For staff who key in cards. Only the MOTO build has it.',
  Gateway: 'For the hotel’s own systems: the classic interface, with the key added.',
  Desk: 'For a back office, and for pages with the elements of the desk.',
  Audit: 'Who did what.',
  Events: 'What happened, in order; the same events go to webhooks.',
  Properties: 'For the operator of many hotels.',
  Pages: 'For the guest’s browser itself.',
  Service: 'For operators.',
};

const text = { type: 'string' };

/**
 * Headers of answers. Required: always there where it is described. Not `x-request-id`, though every answer has it: proxies
 * that check answers follow redirects, and then look for it in the answer of somebody else.
 */
export const HEADERS: Readonly<Record<HeaderName | 'x-request-id', object>> = {
  'x-request-id': {
    description: 'Id of the request in the proxy’s log; the trace id of `traceparent` when the caller sent one.',
    schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
  },
  Allow: { description: 'The methods that the address has.', required: true, schema: text },
  'Content-Disposition': { description: 'A name for the file.', required: true, schema: text },
  ETag: { description: 'The version, for `If-Match`.', schema: { type: 'string', pattern: '^(W/)?"[0-9]+"$' } },
  'idempotent-replayed': {
    description:
      'There when an earlier call with the same `Idempotency-Key` made the resource, and this one did nothing.',
    schema: { type: 'string', const: 'true' },
  },
  Location: { description: 'Where to go, or where to read what was made.', required: true, schema: text },
  'Retry-After': { description: 'Seconds to wait before asking again.', schema: { type: 'integer', minimum: 0 } },
  'Set-Cookie': { description: 'For the browser alone.', required: true, schema: text },
  'WWW-Authenticate': { description: 'Always `Bearer`.', required: true, schema: text },
};

/** What a failure means where money is at stake. */
export const PROBLEM_WORDS: { readonly [Code in ProblemCode]?: string } = {
  internal:
    'something failed in the proxy. A charge or a reversal may have been carried out: repeat it with the same `Idempotency-Key`, which never does it twice',
};

/** Headers that come with a failure. */
export const PROBLEM_HEADERS: { readonly [Code in ProblemCode]?: HeaderName } = {
  unauthorized: 'WWW-Authenticate',
  method_not_allowed: 'Allow',
  idempotency_in_progress: 'Retry-After',
  rate_limited: 'Retry-After',
  property_unavailable: 'Retry-After',
  upstream_unavailable: 'Retry-After',
};

/** Bodies that have no schema of the contract, by their type. */
export const MEDIA: Readonly<Record<string, object>> = {
  'application/json': { example: { openapi: '3.1.0' } },
  'image/svg+xml': { schema: text, example: '<svg xmlns="http://www.w3.org/2000/svg"></svg>' },
  'text/css': { schema: text, example: 'main { max-width: 40rem }' },
  'text/csv': {
    schema: text,
    example: '"type","id","status"\r\n"charge","ch_01JZ8M4Q9T6V2X3Y5A7B8C9D0E","succeeded"\r\n',
  },
  'text/javascript': { schema: text, example: 'customElements.define' },
  'text/html': { schema: text, example: '<!doctype html><title>Hotel Aurora</title>' },
  '*/*': {
    schema: { type: 'string', format: 'binary' },
    example:
      '<?xml version="1.0" encoding="ISO-8859-1"?><SIHOT-Document><OC>KA</OC><TN>1</TN><CDT>2026-06-01T12:00:00</CDT><status>0</status></SIHOT-Document>',
  },
};

const SIGNATURE_HEADERS = [
  [
    'webhook-id',
    'Id of the event, the same for every attempt: drop what was received before.',
    'ev_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
  ],
  [
    'webhook-timestamp',
    'Time of this attempt in seconds since 1970. Refuse what is older than five minutes.',
    '1788336001',
  ],
  [
    'webhook-signature',
    'Signatures separated by spaces, each `v1,` and the Base64 of an HMAC-SHA256 over id, time and body (Standard Webhooks).',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
];

/** What a webhook endpoint of the hotel is asked. */
export const WEBHOOK = {
  operationId: 'receiveEvent',
  tags: ['Events'],
  summary: 'An event, sent to each webhook endpoint of the property',
  description:
    'Verify the signature over the bytes as they came, then answer within 15 seconds. Deliveries may repeat and overtake each other: use `id` to drop repeats and `data.object.seq` to drop what is older than what you have.',
  security: [],
  parameters: SIGNATURE_HEADERS.map(([name, description, example]) => ({
    name,
    in: 'header',
    description,
    required: true,
    schema: text,
    example,
  })),
  responses: {
    '2XX': { description: 'The event has arrived; it is not sent again' },
    410: { description: 'The endpoint is disabled until an event is redelivered' },
    default: { description: 'The event is sent again later' },
  },
};
