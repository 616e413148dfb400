// Examples of the OpenAPI document say what the proxy says: those of answers that a journey does not come by every day are held against the
// code that makes them. tests/docs holds the others against the answers of a whole journey.
import { expect, test } from 'vitest';
import { wholeOpenApiDocument } from '../openapi/document.ts';
import { toMerchantOperation } from '../src/money/money-record.ts';
import { NEW_CHARGE_RECORD, NEW_REVERSAL_RECORD } from '../test-support/records.ts';

interface Described {
  readonly paths: Readonly<
    Record<string, { post: { responses: Record<string, { content: Record<string, { example: unknown }> }> } }>
  >;
}
// The document is JSON by then, and has these operations.
const { paths } = JSON.parse(JSON.stringify(wholeOpenApiDocument('1'))) as Described;
const exampleOf = (path: string, status: number): unknown =>
  paths[path]?.post.responses[status]?.content['application/json']?.example;

/** What an answer has: members, which of them are null, and whatever code reads. */
function form(answer: unknown): unknown {
  return Object.fromEntries(
    Object.entries(Object(answer)).map(([name, value]) => [
      name,
      value === null || ['object', 'status', 'final', 'seq'].includes(name) ? value : typeof value,
    ]),
  );
}

test.each([
  ['/v1/charges', { ...NEW_CHARGE_RECORD, state: 'sent', seq: 2 }],
  // The example is of a charge.
  ['/v1/reversals', { ...NEW_REVERSAL_RECORD, reason: 'service', note: 'Sauna', attempt: null, state: 'sent', seq: 2 }],
] as const)('%s: the example without an outcome after 25 seconds is one that is under way', (path, record) => {
  expect(form(exampleOf(path, 202))).toEqual(form(toMerchantOperation(record)));
});

test('cards are masked as the payment service does it', () => {
  expect(JSON.stringify(paths)).toContain('424242......4242');
  expect(JSON.stringify(paths)).not.toContain('424242*');
});
