/** Typings of the elements for each framework: what its templates accept, with the elements' own documentation. */
import type { ElementManifest } from './manifest.ts';

/** How the templates of one framework know a tag. */
interface Framework {
  /** Its types that the tags are made of, unless they are global. */
  readonly imports?: string;
  /** Where it keeps the tags: one declaration inside the other. */
  readonly scope: string;
  readonly tag: (name: string) => string;
  /** Name of the property that listens to an event. @default `on` and the event's name */
  readonly event?: (name: string) => string;
  /** Before a property that is not an attribute. */
  readonly propertyPrefix?: string;
  /** What else its templates need to be told. */
  readonly more?: string;
}

/** React 18 writes everything to attributes: what is a function, an object or in camel case never arrives. */
const REACT_18 = `
type Supported<Props> = typeof import('react') extends { use: unknown } ? Props : OnlyAttributes<Props>;
`;

/** For templates that can set nothing else. */
const ONLY_ATTRIBUTES = `
type Attribute = 'endpoint' | 'client-secret' | 'presentation' | 'no-retry' | 'locale' | 'theme' | 'continue-href' | 'continue-label';
type OnlyAttributes<Props> = Pick<Props, Extract<keyof Props, Attribute>> & { [Name in Exclude<keyof Props, Attribute>]?: never };
`;

/** Vue's own types know \`slot\` of no element. */
const VUE_SLOT = `
declare module 'vue' { interface HTMLAttributes { slot?: string | undefined } }
`;

const pascal = (name: string): string => name.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase());

const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  react: {
    imports: `{ DetailedHTMLProps, HTMLAttributes } from 'react'`,
    scope: `module 'react' { namespace JSX { interface IntrinsicElements {`,
    tag: (name) => `Supported<${name}Props> & DetailedHTMLProps<HTMLAttributes<${name}>, ${name}>`,
    more: ONLY_ATTRIBUTES + REACT_18,
  },
  preact: {
    imports: `{ HTMLAttributes } from 'preact'`,
    scope: `module 'preact' { namespace JSX { interface IntrinsicElements {`,
    tag: (name) => `${name}Props & HTMLAttributes<${name}>`,
  },
  solid: {
    imports: `{ JSX } from 'solid-js'`,
    scope: `module 'solid-js' { namespace JSX { interface IntrinsicElements {`,
    tag: (name) => `${name}Props & JSX.HTMLAttributes<${name}>`,
    event: (name) => `on:${name}`,
    propertyPrefix: 'prop:',
  },
  vue: {
    imports: `{ HTMLAttributes } from 'vue'`,
    scope: `module 'vue' { interface GlobalComponents {`,
    tag: (name) => `new () => ${name} & { $props: ${name}Props & HTMLAttributes }`,
    event: (name) => `on${pascal(name)}`,
    more: VUE_SLOT,
  },
  svelte: {
    imports: `{ HTMLAttributes } from 'svelte/elements'`,
    scope: `module 'svelte/elements' { interface SvelteHTMLElements {`,
    tag: (name) => `${name}Props & HTMLAttributes<${name}>`,
  },
  astro: {
    scope: `global { namespace astroHTML.JSX { interface IntrinsicElements {`,
    tag: (name) => `OnlyAttributes<${name}Props> & astroHTML.JSX.HTMLAttributes`,
    more: ONLY_ATTRIBUTES,
  },
};

/** The typings of every framework, by its name. */
export function typings(elements: readonly ElementManifest[]): Readonly<Record<string, string>> {
  const names = elements.map(({ name }) => name).join(', ');
  const imports = `import type { PayEventMap, ${names} } from '../index.js';\n`;
  const made = Object.entries(FRAMEWORKS).map(([name, framework]) => {
    const { scope, tag, more = '' } = framework;
    const types = framework.imports ? `import type ${framework.imports};\n` : '';
    const tags = elements.map((element) => `  '${element.tagName}': ${tag(element.name)};\n`);
    return [
      name,
      `// Use: import '@innkeep/widgets/types/${name}';\n${imports}${types}${elements.map((element) => props(element, framework)).join('')}${more}
declare ${scope}\n${tags.join('')}${'}'.repeat(scope.split('{').length - 1)}\n`,
    ];
  });
  // Angular checks no attribute of a foreign element; what helps there are the types of the handlers and of a view child.
  const handlers = elements[0]?.events.map(
    (event) => `/** ${event.description} */\nexport type ${pascal(event.name)}Event = PayEventMap['${event.name}'];\n`,
  );
  const angular = `${imports}export type { ${names} };\n${handlers?.join('')}`;
  return { ...Object.fromEntries(made), angular };
}

/** An interface with every property, attribute and event of an element. */
function props(element: ElementManifest, { event = (name) => `on${name}`, propertyPrefix = '' }: Framework): string {
  const { name: type, members, attributes, events } = element;
  const properties = members.filter(
    ({ kind, readonly, name }) => kind === 'field' && !readonly && name !== 'updateComplete',
  );
  const isAttribute = (name: string): boolean => attributes.some((attribute) => attribute.name === name);
  const isProperty = (name: string): boolean => properties.some((property) => property.name === name);
  const lines = [
    ...properties.map((each) => ({
      ...each,
      key: `${isAttribute(each.name) ? '' : propertyPrefix}${each.name}`,
      value: `${type}['${each.name}'] | undefined`,
    })),
    ...attributes
      .filter(({ name }) => !isProperty(name))
      // React 18 would write `false` to a tag, where it means the opposite.
      .map((each) => ({
        ...each,
        key: each.name,
        value: `${each.type?.text === 'boolean' ? `true | ''` : 'string'} | undefined`,
      })),
    ...events.map((each) => ({
      ...each,
      key: event(each.name),
      value: `((event: PayEventMap['${each.name}']) => void) | undefined`,
    })),
  ];
  const text = lines.map(({ key, value, description }) => `  /** ${description} */\n  '${key}'?: ${value};\n`);
  return `\nexport interface ${type}Props {\n${text.join('')}}\n`;
}
