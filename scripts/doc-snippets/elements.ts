// Prevents: two checks with two ideas of what our elements offer. The manifest that the build makes is the one source.
import { join } from 'node:path';
import { ROOT, readJson } from '../workspace.ts';

/** What one element offers to pages. */
export interface ElementFact {
  /** Attributes, each with the words that it takes; none when it takes any text. */
  readonly attributes: ReadonlyMap<string, readonly string[]>;
  readonly slots: readonly string[];
  readonly parts: readonly string[];
  /** `--pay-…` names. */
  readonly properties: readonly string[];
}

/** By tag name. */
export type ElementFacts = ReadonlyMap<string, ElementFact>;

interface Named {
  readonly name: string;
}

interface Manifest {
  readonly modules: readonly {
    readonly declarations?: readonly {
      readonly tagName?: string;
      readonly attributes?: readonly (Named & { readonly type?: { readonly text: string } })[];
      readonly slots?: readonly Named[];
      readonly cssParts?: readonly Named[];
      readonly cssProperties?: readonly Named[];
    }[];
  }[];
}

/** Reads `packages/widgets/custom-elements.json`. */
export function readElements(): ElementFacts {
  // The build makes it, and the check `generated` compares it with the sources.
  const { modules } = readJson(join(ROOT, 'packages/widgets/custom-elements.json')) as Manifest;
  const names = (list: readonly Named[] = []): readonly string[] => list.map(({ name }) => name);
  return new Map(
    modules
      .flatMap(({ declarations = [] }) => declarations)
      .flatMap(({ tagName, attributes = [], slots, cssParts, cssProperties }) =>
        tagName === undefined
          ? []
          : [
              [
                tagName,
                {
                  attributes: new Map(attributes.map(({ name, type }) => [name, wordsOf(type?.text ?? '')])),
                  slots: names(slots),
                  parts: names(cssParts),
                  properties: names(cssProperties),
                },
              ] as const,
            ],
      ),
  );
}

/** `'a' | 'b'` as `a` and `b`; nothing when any text will do. */
function wordsOf(type: string): readonly string[] {
  const parts = type.split('|').map((part) => part.trim());
  return parts.every((part) => /^'[^']+'$/.test(part)) ? parts.map((part) => part.slice(1, -1)) : [];
}

/** Whether a text stands for something that the reader fills in. */
export function isPlaceholder(text: string): boolean {
  return text.includes('…') || /^\{\{.*\}\}$|^<\?/.test(text);
}
