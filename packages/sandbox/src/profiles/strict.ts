import { localDateTime } from '../wire/field-rules.ts';
import type { Profile } from './profile.ts';

/** Nothing beyond the specification: one failure code, no texts, one way to write a date and a mask. */
export const STRICT: Profile = {
  dateTimeRule: localDateTime,
  ignoresUnknownFields: false,
  acceptsAnyTheme: false,
  readsAnyXml: false,
  postsCallbacks: false,
  successCode: () => '0',
  dateTime: (value) => value,
  mask: (masked) => masked,
  declined: () => ({ returnCode: '1' }),
  refused: (refusal) => ({
    status: refusal.status,
    fields: {
      error: refusal.code,
      ...(refusal.field === undefined ? {} : { field: refusal.field }),
      reason: refusal.reason,
    },
  }),
};
