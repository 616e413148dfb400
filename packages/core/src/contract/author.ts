import * as v from 'valibot';
import { component, openPicklist } from './component.ts';
import { TimestampSchema } from './fields.ts';

/** What can name the person: nothing but the key, the header `innkeep-person` beside it, or a session of the desk. */
export const AUTHOR_SOURCES = ['key', 'header', 'desk'] as const;

/** Who did something. */
export const AuthorSchema = component(
  'Author',
  v.object({
    /** Name of the key that was used; for a platform’s key `platform/key`. */
    key: v.pipe(v.string(), v.description('Name of the key that was used; for a platform’s key `platform/key`.')),
    /** Who used it: an id that the caller gives. With `header` nobody has checked it. Null when nobody was named. */
    person: v.pipe(
      v.nullable(v.string()),
      v.description('Who used it: an id that the caller gives. With `header` nobody has checked it.'),
    ),
    /** What names the person. */
    via: v.pipe(openPicklist(AUTHOR_SOURCES), v.description('What names the person.')),
  }),
  { description: 'Who did something: a key, and the person who used it.' },
);

/** Who did something: a key, and the person who used it. @interface */
export type Author = v.InferOutput<typeof AuthorSchema>;

/** An author worth reading. */
export const AUTHOR_EXAMPLE: Author = { key: 'office', person: 'emp-42', via: 'header' };

/** Who ended a session by hand, and when. Absent unless somebody did. */
export const endedEntries = {
  /** When somebody ended it by hand. Absent unless somebody did. */
  endedAt: v.exactOptional(
    v.pipe(TimestampSchema, v.description('When somebody ended it by hand. Absent unless somebody did.')),
  ),
  /** Who ended it by hand. */
  endedBy: v.exactOptional(AuthorSchema),
};

/** Whether a text can be the header `innkeep-person`. Card numbers are refused besides. */
export function isPerson(text: string): boolean {
  return /^[\x21-\x7e]{1,64}$/.test(text);
}
