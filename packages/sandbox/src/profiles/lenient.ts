/** Public hints about what the specification leaves open, as an optional dialect. Hints, not promises. */
import { DECLINE_TEXT, type DeclineReason } from '../domain/decline-reason.ts';
import { localDateTimeOrSpaced } from '../wire/field-rules.ts';
import type { Profile } from './profile.ts';

const RETURN_CODES: Readonly<Record<DeclineReason, string>> = {
  declined: '1',
  insufficient_funds: '1',
  security: '2',
  call_issuer: '3',
  expired_card: '1',
  invalid_data: '4',
  not_reversible: '1',
};

/** Speaks the return-code table, failure texts, `x` masks, dates with a space, and callbacks from server to server. */
export const LENIENT: Profile = {
  dateTimeRule: localDateTimeOrSpaced,
  ignoresUnknownFields: true,
  acceptsAnyTheme: true,
  readsAnyXml: true,
  postsCallbacks: true,
  successCode: (nth) => (nth % 2 === 0 ? 0 : '0'),
  dateTime: (value) => value.slice(0, 16).replace('T', ' '),
  mask: (masked) => masked.replaceAll('.', 'x'),
  declined: (reason) => ({
    returnCode: RETURN_CODES[reason],
    returnText: DECLINE_TEXT[reason],
    returnCodeSP: reason,
    returnTextSP: DECLINE_TEXT[reason],
  }),
  refused: (refusal) => {
    const where = refusal.field === undefined ? {} : { field: refusal.field };
    const answer = { ...where, reason: refusal.reason };
    // The public table has a code for invalid data, so this dialect says it with HTTP 200; everything that is not
    // about data keeps its status.
    if (refusal.code !== 'invalid_request')
      return { status: refusal.status, fields: { error: refusal.code, ...answer } };
    return { status: 200, fields: { returnCode: RETURN_CODES.invalid_data, returnText: refusal.message, ...answer } };
  },
};
