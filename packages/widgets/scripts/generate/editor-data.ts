/** What editors complete and explain: VS Code's custom data and JetBrains' web types. */
import { type Described, type ElementManifest, settableAttributes } from './manifest.ts';

const choices = ({ type }: Described): { name: string }[] | undefined => {
  const found = [...(type?.text ?? '').matchAll(/'([^']+)'/g)].map(([, name = '']) => ({ name }));
  return found.length > 0 ? found : undefined;
};

export function htmlCustomData(elements: readonly ElementManifest[]): string {
  const tags = elements.map((element) => ({
    name: element.tagName,
    description: element.description,
    attributes: settableAttributes(element).map((attribute) => ({
      name: attribute.name,
      description: attribute.description,
      values: choices(attribute),
    })),
  }));
  return `${JSON.stringify({ version: 1.1, tags }, null, 2)}\n`;
}

export function webTypes(elements: readonly ElementManifest[], version: string): string {
  const list = elements.map((element) => ({
    name: element.tagName,
    description: element.description,
    attributes: settableAttributes(element).map(({ name, description, type }) => ({
      name,
      description,
      value: { type: type?.text ?? 'string' },
    })),
    slots: element.slots.map(({ name, description }) => ({ name, description })),
    js: { events: element.events.map(({ name, description }) => ({ name, description })) },
    css: {
      parts: element.cssParts.map(({ name, description }) => ({ name, description })),
      properties: element.cssProperties.map(({ name, description }) => ({ name, description })),
    },
  }));
  const file = {
    name: '@innkeep/widgets',
    version,
    'description-markup': 'markdown',
    contributions: { html: { elements: list } },
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}
