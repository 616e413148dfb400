/** The parts of the custom-elements manifest that the generators read. */

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
  parameters?: Described[];
  return?: { type: { text: string } };
}

/** One element as the manifest describes it. */
export interface ElementManifest {
  name: string;
  tagName: string;
  description: string;
  summary: string;
  members: Member[];
  attributes: Described[];
  events: Described[];
  slots: Described[];
  cssParts: Described[];
  cssProperties: Described[];
}

/** The elements of a manifest, those with a tag. */
export function readElements(manifest: string): ElementManifest[] {
  const { modules } = JSON.parse(manifest) as { modules: { declarations: ElementManifest[] }[] };
  // The analyzer leaves out what an element has none of.
  const none = { members: [], attributes: [], events: [], slots: [], cssParts: [], cssProperties: [] };
  return modules
    .flatMap(({ declarations }) => declarations)
    .filter(({ tagName }) => tagName)
    .map((element) => ({ ...none, ...element }));
}

/** Properties that a page may set, and not only by an attribute. */
export function settableProperties({ members }: ElementManifest): Member[] {
  return members.filter(({ kind, readonly, name }) => kind === 'field' && !readonly && name !== 'updateComplete');
}

/** Attributes that a page may set. */
export function settableAttributes({ attributes }: ElementManifest): Described[] {
  return attributes.filter(({ name }) => name !== 'state');
}
