/** The custom-elements manifest of the build, as far as the generators read it. */
import { readFileSync } from 'node:fs';

/** Something with a name and a sentence about it. */
export interface Described {
  name: string;
  description?: string;
  type?: { text: string };
  default?: string;
}

/** A property or method of an element. */
export interface Member extends Described {
  kind: 'field' | 'method';
  readonly?: boolean;
  /** The attribute that sets a property. */
  attribute?: string;
  return?: { type: { text: string } };
}

/** An attribute; `fieldName` is the property that it sets. */
export interface Attribute extends Described {
  fieldName?: string;
}

/** One element as the manifest describes it. */
export interface ElementManifest {
  name: string;
  tagName?: string;
  members: Member[];
  attributes: Attribute[];
  events: Described[];
  slots: Described[];
  cssParts: Described[];
  cssProperties: Described[];
}

const text = readFileSync(new URL('../dist/custom-elements.json', import.meta.url), 'utf8');

/** Of the attributes only those that a page may set: `state` is the element's own. */
export const MANIFEST: { modules: { declarations: ElementManifest[] }[] } = JSON.parse(text, (key, value) =>
  key === 'attributes' ? value.filter(({ name }: Described) => name !== 'state') : value,
);

/** What the analyzer leaves out of an element that has none. */
const NOTHING = { members: [], attributes: [], events: [], slots: [], cssParts: [], cssProperties: [] };

/** The elements, which are the classes with a tag. */
export const ELEMENTS: readonly ElementManifest[] = MANIFEST.modules
  .flatMap(({ declarations }) => declarations)
  .filter(({ tagName }) => tagName)
  .map((element) => ({ ...NOTHING, ...element }));
