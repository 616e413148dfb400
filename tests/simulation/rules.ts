/** The rules by name. How each is held against the books is in `invariants.ts`; the documentation names them, too. */

/** Every rule, and what it says. */
export const RULES = {
  'sent-once': 'No charge and no reversal reaches the payment service twice.',
  'one-attempt': 'A session has one attempt under way, from the init of its page on, and stays as it is meanwhile.',
  'asked-before-next':
    'No attempt begins before the payment service has said that those before it, abandoned ones too, show no money, nor within a day of a guest who came back as having paid.',
  'price-as-shown': 'No guest is sent to a page that asks for anything else than what they were shown.',
  'one-session-per-key': 'A key has one session, and one client secret until somebody ends the session.',
  'taken-back': 'A client secret or a link of a session that somebody has ended opens no page.',
  'expired-for-good':
    'Every session that is not paid expires for good, 24 hours after its last abandoned attempt at the earliest, and says so.',
  'moved-not-failed':
    'What moved money, whichever attempt and however late, is never called anything but that for good.',
  'succeeded-moved': 'What is called succeeded has moved money, and as much as it says.',
  known: 'Everything that was booked is known to the hotel.',
  'reversals-within-payment': 'What is refunded is never more than what was paid.',
  'rest-reversible': 'What is left of a payment can be refunded, whatever came of another one of its session.',
  'limit-holds': 'A key with a limit refunds no more than it in a day of the hotel, what is unknown included.',
  'shares-settled':
    'A payment, of a charge or of an attempt, holds shares for reversals that are unknown, and for no others.',
  'events-once': 'Every outcome has exactly one event, and every version one at most.',
  'feed-gap-free': 'The feed counts 1, 2, 3 … for each hotel.',
  delivered: 'Every event reaches every healthy endpoint.',
  'delivered-promptly': 'An endpoint that hangs does not keep events from another one.',
  'lists-agree': 'Lists show every resource as it is, and the totals of payments add up.',
  'duplicates-noticed':
    'Each payment beyond the first of a session, or of a reference, leaves one event that names both.',
  'audited-once': 'Whatever was made or resolved is in the audit once.',
  'no-twin-charge':
    'The same charge under another key is refused while the first is not decided, and ten minutes longer.',
  settles: 'Nothing stays pending or on its way.',
  'settles-in-time': 'A charge or a reversal is decided within minutes, whoever died.',
  'hotels-apart': 'No hotel sees or touches what belongs to another.',
  'final-stays': 'What is final stays, and no attempt that has ended goes on.',
  'done-outweighs':
    'What the payment service has called done is not called failed or canceled, whatever it says later.',
  'record-before-failure': 'Nothing is called failed or canceled while its record shows money.',
  'start-in-time': 'A start that came in time is not refused for being late.',
  'one-fault-is-no-outage': 'One hosted request that cannot be read does not stop charges.',
  'link-goes-on': 'A payment link whose guest has left opens the page of a new attempt an hour later.',
  'no-internal-error': 'Without faults nothing ends in an internal error.',
  'revoked-key-ends': 'A key that was taken away serves nobody five seconds later.',
  'change-counts': 'A change that was acknowledged counts everywhere five seconds later.',
  'change-kept': 'A change that was acknowledged is never lost, and of two for one version one is made.',
  'one-owner': 'A key belongs to one hotel at a time.',
  'free-key': 'A key that no hotel has can be any hotel’s.',
  'removed-begins-nothing': 'A hotel that was removed opens no page.',
  'sealed-anew': 'After the keys that seal were replaced, nothing needs the older ones.',
  'token-at-home': 'An access token is sent to no other payment service than the one that gave it out.',
  'platform-feed-whole': 'Every event of a platform’s hotels is in its feed once, in each hotel’s order.',
  'platform-feed-in-time': 'A platform’s feed has everything minutes after the last fault.',
  'queries-bounded': 'No query walks through all resources, events or deliveries of a hotel.',
  'alarms-kept': 'No alarm fails so often that the runtime gives it up.',
} as const;
export type Rule = keyof typeof RULES;

/** A rule that does not hold. */
export interface Violation {
  readonly rule: Rule;
  readonly what: string;
}
