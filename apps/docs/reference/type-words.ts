/** What a type says about whatever has it. */
import type { Comment, DeclarationReflection, SomeType, Type } from 'typedoc';
import { summaryText } from './comment-text.ts';
import { firstSentence } from './markdown.ts';
import type { FindEntry } from './type-text.ts';

/** The comment of a declaration; that of a function stands at its signature. */
export function commentOf({ comment, signatures, getSignature }: DeclarationReflection): Comment | undefined {
  return comment ?? signatures?.[0]?.comment ?? getSignature?.comment;
}

/** The first sentence about the one named type inside a type; empty when there is none that says something. */
export function aboutType(type: Type | undefined, find: FindEntry): string {
  const some = type as SomeType | undefined;
  if (some?.type === 'array') return aboutType(some.elementType, find);
  if (some?.type === 'union') {
    const named = some.types.filter((each) => each.type === 'reference');
    return named.length === 1 ? aboutType(named[0], find) : '';
  }
  if (some?.type !== 'reference') return '';
  // Of a generic type that has no entry, such as a list or an event, what counts is inside.
  const [inner] = some.typeArguments ?? [];
  if (some.reflection === undefined) return inner === undefined ? '' : aboutType(inner, find);
  return firstSentence(summaryText(commentOf(some.reflection as DeclarationReflection), find));
}
