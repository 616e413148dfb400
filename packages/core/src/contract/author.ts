import * as v from 'valibot';
import { component, type OutputOf, openPicklist, type TypeOf } from './component.ts';
import { TimestampSchema } from './fields.ts';

/** What can name the person: nothing but the key, the header `innkeep-person` beside it, or a session of the desk. */
export const AUTHOR_SOURCES = ['key', 'header', 'desk'] as const;

const author = v.object({
  /** Name of the key that was used; for a platform’s key `platform/key`. */
  key: v.string(),
  /** Who used it: an id that the caller gives. With `header` nobody has checked it. Null when nobody was named. */
  person: v.nullable(v.string()),
  /** What names the person: nothing but the key (`key`), the header `Innkeep-Person` (`header`) or a desk session (`desk`). */
  via: openPicklist(AUTHOR_SOURCES),
});

export interface AuthorType extends TypeOf<typeof author> {}

/** Who did something. */
export const AuthorSchema: AuthorType = component('Author', author, {
  description: 'Who did something: a key, and the person who used it.',
});

/** Who did something: a key, and the person who used it. @interface */
export type Author = v.InferOutput<typeof AuthorSchema>;

/** An author worth reading. */
export const AUTHOR_EXAMPLE: Author = { key: 'office', person: 'emp-42', via: 'header' };

/** Who ended a session by hand, and when. Absent unless somebody did. */
export const endedEntries = {
  /** When somebody ended it by hand. Absent unless somebody did. */
  endedAt: v.exactOptional(TimestampSchema),
  /** Who ended it by hand. Absent unless somebody did. */
  endedBy: v.exactOptional(AuthorSchema),
};

/** Who ended a session by hand, and when. */
export type EndedFields = OutputOf<typeof endedEntries>;

/** Whether a text can be the header `innkeep-person`. Card numbers are refused besides. */
export function isPerson(text: string): boolean {
  return /^[\x21-\x7e]{1,64}$/.test(text);
}
