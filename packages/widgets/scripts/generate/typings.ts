/** Typings of the elements for each framework: what its templates accept, with the elements' own documentation. */
import { type ElementManifest, settableAttributes, settableProperties } from './manifest.ts';

type Typing = (elements: readonly ElementManifest[]) => string;

const eventsOf = ({ events }: ElementManifest, nameOf: (name: string) => string): string =>
  events
    .map(
      ({ name, description }) =>
        `  /** ${description} */\n  '${nameOf(name)}'?: (event: PayEventMap['${name}']) => void;\n`,
    )
    .join('');

/** An interface with every attribute, property and event of an element. */
function props(element: ElementManifest, eventName: (name: string) => string, propertyPrefix = ''): string {
  const properties = settableProperties(element);
  const named = new Set(properties.map(({ name }) => name));
  return [
    `export interface ${element.name}Props {\n`,
    ...properties.map(
      ({ name, description }) =>
        `  /** ${description} */\n  '${isAttribute(element, name) ? '' : propertyPrefix}${name}'?: ${element.name}['${name}'] | undefined;\n`,
    ),
    ...settableAttributes(element)
      .filter(({ name }) => !named.has(name))
      .map(({ name, description }) => `  /** ${description} */\n  '${name}'?: string | undefined;\n`),
    eventsOf(element, eventName),
    '}\n',
  ].join('');
}

const isAttribute = ({ attributes }: ElementManifest, name: string): boolean =>
  attributes.some((attribute) => attribute.name === name);

const head = (elements: readonly ElementManifest[], framework: string): string =>
  `// Made from custom-elements.json. Use: import '@innkeep/widgets/types/${framework}';\n` +
  `import type { PayEventMap, ${elements.map(({ name }) => name).join(', ')} } from '../index.js';\n`;

const tags = (
  elements: readonly ElementManifest[],
  type: (element: ElementManifest) => string,
  indent: string,
): string => elements.map((element) => `${indent}'${element.tagName}': ${type(element)};\n`).join('');

const plain = (name: string): string => `on${name}`;
const pascal = (name: string): string => name.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase());

const react: Typing = (elements) =>
  `${head(elements, 'react')}import type { DetailedHTMLProps, HTMLAttributes } from 'react';

${elements.map((element) => props(element, plain)).join('\n')}
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
${tags(elements, ({ name }) => `${name}Props & DetailedHTMLProps<HTMLAttributes<${name}>, ${name}>`, '      ')}    }
  }
}
`;

const preact: Typing = (elements) =>
  `${head(elements, 'preact')}import type { HTMLAttributes } from 'preact';

${elements.map((element) => props(element, plain)).join('\n')}
declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
${tags(elements, ({ name }) => `${name}Props & HTMLAttributes<${name}>`, '      ')}    }
  }
}
`;

const solid: Typing = (elements) =>
  `${head(elements, 'solid')}import type { JSX } from 'solid-js';

${elements.map((element) => props(element, (name) => `on:${name}`, 'prop:')).join('\n')}
declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
${tags(elements, ({ name }) => `${name}Props & JSX.HTMLAttributes<${name}>`, '      ')}    }
  }
}
`;

const vue: Typing = (elements) =>
  `${head(elements, 'vue')}import type { HTMLAttributes } from 'vue';

${elements.map((element) => props(element, (name) => `on${pascal(name)}`)).join('\n')}
declare module 'vue' {
  interface GlobalComponents {
${tags(elements, ({ name }) => `new () => ${name} & { $props: ${name}Props & HTMLAttributes }`, '    ')}  }
}
`;

const svelte: Typing = (elements) =>
  `${head(elements, 'svelte')}import type { HTMLAttributes } from 'svelte/elements';

${elements.map((element) => props(element, plain)).join('\n')}
declare module 'svelte/elements' {
  interface SvelteHTMLElements {
${tags(elements, ({ name }) => `${name}Props & HTMLAttributes<${name}>`, '    ')}  }
}
`;

// Angular checks no attribute of a foreign element; what helps there are the types of the handlers and of a view child.
const angular: Typing = (elements) =>
  `// Made from custom-elements.json. Use: import type { PayCompletedEvent } from '@innkeep/widgets/types/angular';
import type { PayEventMap } from '../index.js';

export type { ${elements.map(({ name }) => name).join(', ')} } from '../index.js';
${(elements[0]?.events ?? [])
  .map(({ name, description }) => `/** ${description} */\nexport type ${pascal(name)}Event = PayEventMap['${name}'];\n`)
  .join('')}`;

/** Every framework with typings of its own. */
export const TYPINGS: Readonly<Record<string, Typing>> = { react, preact, solid, vue, svelte, angular };
