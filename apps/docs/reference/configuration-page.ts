/** Every setting: of the proxy, the elements, the command line and the sandbox. */
import type { DeclarationReflection } from 'typedoc';
import { ENVIRONMENT } from '../../../packages/cli/src/environment.ts';
import { jsonSchema } from '../../../packages/edge-proxy/openapi/document.ts';
import { PropertySchema } from '../../../packages/edge-proxy/src/config/property-schema.ts';
import { SERVE_OPTIONS } from '../../../packages/sandbox/src/serve-options.ts';
import { settableAttributes } from '../../../packages/widgets/scripts/generate/manifest.ts';
import { readText } from '../../../scripts/workspace.ts';
import type { ApiIndex } from './api-index.ts';
import { summaryText, tagTexts } from './comment-text.ts';
import { commentedParts } from './commented-source.ts';
import { elements } from './element-pages.ts';
import { fieldTable, type JsonSchema } from './field-rows.ts';
import type { Gaps } from './gaps.ts';
import { address, anchored, blocks, code, codeBlock, codeLink, heading, table } from './markdown.ts';
import { moduleText } from './module-text.ts';
import { sentence } from './plain-text.ts';
import type { ReferencePage } from './reference-page.ts';
import type { SourceModel } from './source-model.ts';

const PROPERTY_FILE = 'packages/edge-proxy/src/config/property-schema.ts';
const SETTINGS_FILE = 'packages/edge-proxy/src/config/settings.ts';

/** Files that no package exports and this page reads. */
export const CONFIGURATION_FILES: readonly string[] = [PROPERTY_FILE, SETTINGS_FILE];

/** Anchor of a field of a property: `merchantKeys[].scopes` → `merchantkeys-scopes`. */
function fieldAnchor(path: string): string {
  return path.replaceAll('[]', '').replaceAll('.', '-').toLowerCase();
}

/** Anchor of an environment variable. */
export function variableAnchor(name: string): string {
  return name.replaceAll(/[<>]/g, '').toLowerCase();
}

/** The page of all settings. */
export function configurationPage(model: SourceModel, index: ApiIndex, gaps: Gaps): ReferencePage {
  const property = model.declaration(PROPERTY_FILE, 'PropertyFields');
  const schema = jsonSchema(PropertySchema, 'input') as JsonSchema;
  return {
    path: 'reference/configuration',
    title: 'Configuration',
    description: 'Every setting of the proxy, the elements, the command line and the sandbox, with its default.',
    markdown: blocks(
      heading(2, 'Environment of the proxy'),
      proxyVariables(model, index, gaps),
      heading(2, 'Fields of a property'),
      moduleText(readText(PROPERTY_FILE)),
      fieldTable(schema, {
        gaps,
        what: 'PROPERTY_<ID>',
        find: index.find,
        words: property,
        anchor: (path) => anchored(fieldAnchor(path), ''),
      }),
      heading(2, 'A complete property'),
      'It works with the sandbox, except for the hash of the merchant key, which `innkeep hotel add` makes:',
      codeBlock('json', JSON.stringify(exampleProperty(model), undefined, 2)),
      heading(2, 'Scopes'),
      table(
        ['Scope', 'Allows'],
        commentedParts(PROPERTY_FILE, 'SCOPES').map(({ name, comment }) => [
          anchored(`scope-${name}`, code(name)),
          gaps.require(comment, `scope ${name}`),
        ]),
      ),
      heading(2, 'Attributes of the elements'),
      elementAttributes(),
      heading(2, 'Environment of the command line'),
      `The options of each command are in its [entry](${address('reference/command-line')}).`,
      table(
        ['Variable', 'Holds'],
        ENVIRONMENT.map(({ name, description }) => [anchored(variableAnchor(name), code(name)), sentence(description)]),
      ),
      heading(2, 'Options of the sandbox'),
      'Of the command `innkeep-sandbox`:',
      sandboxOptions(),
      `What \`createSandbox\` takes is in [\`SandboxOptions\`](${sandboxOptionsLink(model, index)}).`,
      heading(2, 'Environment of the sandbox'),
      sandboxVariables(model, index, gaps),
    ),
  };
}

/** The property of the fields' own examples. */
function exampleProperty(model: SourceModel): Readonly<Record<string, unknown>> {
  const values = (declaration: DeclarationReflection): Record<string, unknown> =>
    Object.fromEntries(
      (declaration.children ?? []).flatMap(({ name, comment }) => {
        const [given] = tagTexts(comment, '@example', () => undefined);
        return given === undefined ? [] : [[name, JSON.parse(given.replace(/^```\w*\n|\n?```$/g, '')) as unknown]];
      }),
    );
  const part = (name: string): Record<string, unknown> => values(model.declaration(PROPERTY_FILE, name));
  return {
    ...part('PropertyFields'),
    merchantKeys: [part('MerchantKey')],
    webhooks: [part('WebhookSettings')],
    gateway: part('GatewaySettings'),
  };
}

function proxyVariables(model: SourceModel, { find }: ApiIndex, gaps: Gaps): string {
  const fixed = (model.declaration(SETTINGS_FILE, 'Settings').children ?? []).map(({ name, comment }) => {
    const [sample] = tagTexts(comment, '@example', find).map((text) => text.replace(/^```\w*\n|\n?```$/g, ''));
    const words = gaps.require(summaryText(comment, find), `setting ${name}`);
    return [
      anchored(variableAnchor(name), code(name)),
      `${words}${sample === undefined ? '' : ` Example: ${code(sample)}.`}`,
    ];
  });
  const property = [
    anchored(variableAnchor('PROPERTY_<ID>'), code('PROPERTY_<ID>')),
    `One hotel: JSON with the [fields of a property](#fields-of-a-property). A secret: it holds the password.`,
  ];
  return table(['Variable', 'Meaning'], [...fixed, property]);
}

function elementAttributes(): string {
  const rows = new Map<string, { readonly cells: readonly string[]; readonly tags: string[] }>();
  for (const element of elements()) {
    for (const { name, type, description = '' } of settableAttributes(element)) {
      const row = rows.get(name) ?? { cells: [code(type?.text ?? 'string'), description], tags: [] };
      rows.set(name, { ...row, tags: [...row.tags, element.tagName] });
    }
  }
  return table(
    ['Attribute', 'Type', 'Meaning', 'Of'],
    [...rows].map(([name, { cells, tags }]) => [
      code(name),
      ...cells,
      tags.map((tag) => codeLink(`<${tag}>`, address(`reference/elements/${tag}`, `attribute-${name}`))).join(', '),
    ]),
  );
}

function sandboxOptions(): string {
  return table(
    ['Option', 'Meaning'],
    SERVE_OPTIONS.map(({ name, value, description, variable }) => [
      anchored(`option-${name}`, code(`--${name}${value === undefined ? '' : ` <${value}>`}`)),
      sentence(`${description}${variable === undefined ? '' : `; or ${variable} in the environment`}`),
    ]),
  );
}

function sandboxOptionsLink(model: SourceModel, index: ApiIndex): string {
  return index.find(model.declaration('packages/sandbox/src/index.ts', 'SandboxOptions')) ?? '';
}

function sandboxVariables(model: SourceModel, { find }: ApiIndex, gaps: Gaps): string {
  const variables = model.declaration('packages/sandbox/src/worker.ts', 'SandboxEnvironment').children ?? [];
  return table(
    ['Variable', 'Meaning'],
    variables.map(({ name, comment }) => [
      anchored(variableAnchor(name), code(name)),
      gaps.require(summaryText(comment, find), `sandbox variable ${name}`),
    ]),
  );
}
