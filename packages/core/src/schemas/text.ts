import * as v from 'valibot';
import { REDACTED } from '../values/redacted.ts';

const IntegerSchema = v.pipe(v.number(), v.safeInteger());

/** Text that names something; blanks name nothing. */
export const NameSchema: v.GenericSchema<unknown, string> = v.pipe(
  v.string(),
  v.check((text) => text.trim() !== ''),
);

/**
 * The same for an id. A number stands for its digits as long as none were lost on the way: an id that was rounded would
 * name another payment.
 */
export const IdSchema: v.GenericSchema<unknown, string> = v.pipe(
  v.union([NameSchema, IntegerSchema]),
  v.transform(String),
);

/** Whether a text of an answer names something, and came through the gate unchanged: only then can it be sent back. */
export function isName(text: string | null | undefined): text is string {
  return !!text?.trim() && !text.includes(REDACTED) && !text.includes('\ufffd');
}

const TextSchema: v.GenericSchema<unknown, string> = v.pipe(v.union([v.string(), IntegerSchema]), v.transform(String));

/** Text that may be missing, null or a number. */
export const OptionalTextSchema = v.nullish(TextSchema);

/** The same where nothing depends on it: an unreadable value counts as missing, so that it cannot spoil a good answer. */
export const LenientTextSchema = v.fallback(OptionalTextSchema, undefined);

/** The same, `''` when there is none. */
export const AnyTextSchema = v.fallback(v.nullish(TextSchema, ''), '');
