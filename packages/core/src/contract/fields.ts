/** Fields that several resources share. */
import * as v from 'valibot';
import { holdsCardNumber } from '../values/card-mask.ts';

/** RFC 3339, UTC. */
export const TimestampSchema = v.pipe(v.string(), v.isoTimestamp(), v.endsWith('Z'));

/** Version of a resource, or a position in the event feed: 1, 2, 3 … */
export const SeqSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** How many attempts a session can have. */
export const MAX_ATTEMPTS = 20;

/** Number of an attempt: 1, 2, 3 … in the order in which they began. */
export const AttemptNumberSchema = v.pipe(
  v.number(),
  v.integer('Must be the number of an attempt'),
  v.minValue(1, 'Must be the number of an attempt'),
  v.maxValue(MAX_ATTEMPTS, 'Must be the number of an attempt'),
);

/** The attempts of a session. Its type names what is in it, so that the typings keep the texts; the limit is none of a type's. */
// @__NO_SIDE_EFFECTS__
export function attemptsOf<const Attempt extends v.GenericSchema>(attempt: Attempt) {
  return v.pipe(v.array(attempt), v.maxLength(MAX_ATTEMPTS)) as unknown as v.ArraySchema<Attempt, undefined>;
}

/** A number of things. */
export const CountSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** Refuses control characters. */
export const noControl: v.RegexAction<string, string> = v.regex(
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the ranges are the point; `\p{Cc}` is unknown to many engines.
  /^[^\u0000-\u001f\u007f-\u009f]*$/,
  'Must not hold control characters',
);

/** An id with its prefix, such as `cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E`. */
// @__NO_SIDE_EFFECTS__
export function idOf(prefix: 'cs' | 'ch' | 'rv' | 'ev' | 'ds', message?: string) {
  return v.pipe(v.string(), v.regex(new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`), message));
}

/** A text like {@link textOrNothing} that is not empty. */
// @__NO_SIDE_EFFECTS__
export function text(maxLength: number, message?: string) {
  return v.pipe(textOrNothing(maxLength, message), v.minLength(1, 'Must not be empty'));
}

/**
 * A text of limited length without control characters, which may be empty.
 *
 * @param message - what to say instead of quoting what came
 */
// @__NO_SIDE_EFFECTS__
export function textOrNothing(maxLength: number, message = 'Must be a text') {
  return v.pipe(v.string(message), v.maxLength(maxLength, `Must have at most ${maxLength} characters`), noControl);
}

/**
 * Whether a text can be kept and shown: no half characters, and no number that a card network issues. Of other numbers every tenth passes
 * the Luhn check: a hotel whose references have a date and a time in them would lose every tenth payment.
 */
export function isHarmless(text: string): boolean {
  return !/\p{Surrogate}/u.test(text) && !holdsCardNumber(text, { issued: true });
}

/** The sentence for a text that is not {@link isHarmless}. */
export function notHarmless(name: string): string {
  return `${name} must not contain a card number (13 to 19 digits with a valid check digit) or half a character`;
}

/** A text that somebody typed, so that it may be anything. */
// @__NO_SIDE_EFFECTS__
export function typed<const Schema extends v.GenericSchema<unknown, string>>(name: string, schema: Schema) {
  return v.pipe(schema, v.check(isHarmless, notHarmless(name)));
}

/** The hotel's reference of a reservation. The payment service takes none of blanks. */
export const ReferenceSchema = typed(
  'The reference',
  v.pipe(
    text(64),
    v.check((text) => text.trim() !== '', 'Must not be empty'),
  ),
);

/** Why something is done, in somebody's words: at most 500 characters. */
export const NoteSchema = typed('The note', text(500));

/** When what names a person was erased. Absent until then. */
export const RedactedAtSchema = v.exactOptional(TimestampSchema);

/** Body of the calls that need none. */
export const EmptySchema = v.strictObject({});
