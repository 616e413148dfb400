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
    String.raw`[{"returnCode":"\u0030"}]`,
    String.raw`[{"return\u0043ode":"\n0"}]`,
    '[{"returnCode":"０"}]',
    "{'returnCode':'0'}",
    "{'transactionID':'T-1'}",
    '{"error":{"transactionID":"T-1"}}',
    '<r><returnCode> 00 </returnCode></r>',
    '<p:transactionID>T-1</p:transactionID>',
    'cardType=VISA&returnCode=0',
    'transactionID=T-1&returnCode=51',
    [...'\ufffd{"returnCode":"0"}'].join('\0'),
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
    String.raw`[{"transactionID":"\t"}]`,
    '{"errors":{"transactionID":["is missing"],"returnCode":{"a":0}}}',
    '<r><transactionID></transactionID><transactionID/><returnCode></returnCode>0</r>',
    'transactionID=&returnCode=&cardType=0',
    'No transactionID, no returnCode: 0',
    '<a href="/login?a=1&transactionID=5">Sign in</a><input name="transactionID" value="5">',
  ])('reads none in %s', (body) => {
    expect(hintsAtExecution(body)).toBe(false);
  });
});
