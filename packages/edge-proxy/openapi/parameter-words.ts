/** What the parameters of paths, queries and headers mean, by their names. */

/** Parts of a path. */
export const PATH_WORDS: Readonly<Record<string, string>> = {
  id: 'Id of the resource.',
  protocol: 'Protocol of the gateway, for instance `RMS`. Letters, digits, dot, underscore, hyphen.',
  method: 'Method of the protocol, for instance `roomreq`. Letters, digits, dot, underscore, hyphen.',
  sessionId: 'Id of the session that the guest was paying.',
  nonce: 'A secret of this one start; a wrong one is answered with 404.',
  outcome: 'Which of its two addresses the hosted page used.',
  linkId: 'Secret of the payment link.',
};

/** Parameters of a query. */
export const QUERY_WORDS: Readonly<Record<string, string>> = {
  status: 'Only those in this state.',
  reference: 'Only those of this reservation.',
  limit: 'At most so many, 1 to 100.',
  cursor: '`nextCursor` of the page before.',
  after: 'Only events after this position of the feed; 0 is the beginning.',
  from: 'First day or instant of creation, UTC, included. Either this pair or the next.',
  to: 'Last day or instant of creation, UTC, not included; at most a year after `from`.',
  completedFrom: 'First day or instant of completion, UTC, included. What is not completed is left out.',
  completedTo:
    'Last day or instant of completion, UTC, not included. Of an export: at most a year after `completedFrom`.',
};

/** Headers. */
export const HEADER_WORDS: Readonly<Record<string, string>> = {
  'Idempotency-Key':
    'A key of your own for this one thing, 1 to 255 visible ASCII characters. Keep it with the booking before the first try; the same key and body never do it twice while what they made is kept, 400 days.',
};
