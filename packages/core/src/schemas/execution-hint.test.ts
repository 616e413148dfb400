import { describe, expect, it } from 'vitest';
import { hintsAtExecution } from './execution-hint.ts';

describe('hintsAtExecution', () => {
  it.each([
    '[{"transactionID":"T-1"}]',
    '[{"transactionID":""},{"transactionID":1234}]',
    '{ "transactionID" : "T-1',
    '{"transactionID":"',
    '{"transactionID":nul',
    '[{"returnCode":0}]',
    '[{"returnCode":"5"},{"returnCode":" 00 "}]',
    '{"returnCode":"0',
    '{"returnCode":-0,',
    '{"returnCode":"0.0","',
    String.raw`"{\"returnCode\":\"0\"}"`,
  ])('reads one in %s', (body) => {
    expect(hintsAtExecution(body)).toBe(true);
  });

  it.each([
    '',
    '<p>0</p>',
    '[{"transactionID":" "}]',
    '{"transactionID": null, "text": "0',
    '{"transactionID":',
    '[{"returnCode":"5"},{"returnCode":10},{"returnCode":"05"}]',
    '{"returnCode":"","returnText":"0',
    '{"returnCode":0.5,',
    '{"returnCode":null},0',
  ])('reads none in %s', (body) => {
    expect(hintsAtExecution(body)).toBe(false);
  });
});
