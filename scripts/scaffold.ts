// Prevents: recipes that only people know. Everything that `new.ts` writes is made here, from names and the present files.

/** What can be scaffolded. */
export type Kind = 'operation' | 'element' | 'route' | 'scenario';

/** Every kind, for the command line. */
export const KINDS: readonly Kind[] = ['operation', 'element', 'route', 'scenario'];

/** Files to write, paths relative to the root, and what is left for a person to do. */
export interface Scaffold {
  readonly created: Readonly<Record<string, string>>;
  readonly edited: Readonly<Record<string, string>>;
  readonly next: readonly string[];
}

/** Reads a repository file that is to be edited. */
export type Read = (file: string) => string;

/**
 * Makes everything that a new thing of this kind consists of.
 *
 * @throws when the name has the wrong form, or when a file that has to be edited no longer has the expected place for it
 */
export function scaffold(kind: Kind, name: string, read: Read): Scaffold {
  switch (kind) {
    case 'operation':
      return operation(
        checkName(name, /^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)*$/, 'the service’s own name, such as cardInfo'),
        read,
      );
    case 'element':
      return element(
        checkName(name, /^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/, 'a tag with a hyphen, such as refund-notice'),
        read,
      );
    case 'route':
      return route(checkName(name, KEBAB, 'a verb first, such as read-exchange-rate'), read);
    case 'scenario':
      return scenario(checkName(name, KEBAB, 'words joined by hyphens, such as answer-in-latin-1'), read);
  }
}

const KEBAB = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

function checkName(name: string, form: RegExp, hint: string): string {
  if (!form.test(name)) throw new Error(`“${name}” is not a good name: give ${hint}.`);
  return name;
}

function operation(name: string, read: Read): Scaffold {
  const file = toKebab(name);
  const type = toPascal(file);
  const core = `packages/core/src/operations/${file}`;
  const endpoint = `packages/sandbox/src/endpoints/${file}.ts`;
  return {
    created: {
      [`${core}.ts`]: `/**
 * \`${name}\`: one sentence about what it does.
 *
 * Import path: \`@innkeep/core/operations/${file}\`.
 *
 * @see upstream API, section "Endpoints"
 * @module
 */
import * as v from 'valibot';
import { type CommonOverrides, commonFields } from '../http/common-fields.ts';
import type { CallOptions, Context } from '../http/context.ts';
import { operationUrl } from '../http/operation-url.ts';
import { parseAccepted } from '../http/parse-answer.ts';
import { type Json, send } from '../http/send.ts';
import { IdSchema } from '../schemas/text.ts';
import { requireText } from '../values/check-text.ts';

/** Input of {@link ${name}}. */
export interface ${type}Input extends CommonOverrides {
  /** What the call is about. */
  transactionID: string;
}

/** Result of {@link ${name}}. */
export interface ${type}Result {
  /** Id of what was done. */
  transactionID: string;
  /** \`'0'\`: anything else is thrown as \`declined\`. */
  returnCode: string;
  /** The answer as it came. */
  raw: Json;
}

const ${type}AnswerSchema = v.object({ transactionID: IdSchema });

/**
 * One sentence about what it does, in plain words.
 *
 * Retry: never by itself.
 *
 * @throws \`invalid_input\`, \`declined\`, \`invalid_response\`, \`upstream_status\`, \`network\`, \`timeout\`,
 * \`authentication_failed\`
 * @see upstream API, section "Endpoints"
 */
export async function ${name}(
  context: Context,
  input: ${type}Input,
  { signal }: CallOptions = {},
): Promise<${type}Result> {
  return send(context, {
    operation: '${name}',
    // How much harm a second execution would do: 'read', 'prepare' or 'money'. Money is never sent again.
    class: 'prepare',
    url: operationUrl(context, '${name}'),
    body: {
      transactionID: requireText(input.transactionID, 'transactionID'),
      ...commonFields(context, 'direct', input),
    },
    parse: (json) => {
      const { transactionID } = parseAccepted('${name}', ${type}AnswerSchema, json);
      return { transactionID, returnCode: '0', raw: json };
    },
    signal,
  });
}
`,
      [`${core}.test.ts`]: `import { expect, it } from 'vitest';
import { createContext } from '../context.ts';
import type { Context } from '../http/context.ts';
import { ${name} } from './${file}.ts';

function contextAnswering(answer: unknown): { readonly context: Context; readonly sent: Request[] } {
  const sent: Request[] = [];
  const context = createContext({
    baseUrl: 'https://payment.example',
    customerId: '1234',
    accessToken: async () => 'token',
    hotel: { hotelID: '1', hotelIDType: 'PMS', user: 'web', timeZone: 'Europe/Vienna' },
    providers: { direct: 'DIRECT', hosted: 'HOSTED' },
    amountUnit: 'minor',
    fetch: async (input, init) => {
      sent.push(new Request(input, init));
      return Response.json(answer);
    },
  });
  return { context, sent };
}

it('posts its input to the operation and returns the answer', async () => {
  const { context, sent } = contextAnswering({ transactionID: 'T1', returnCode: '0' });

  await expect(${name}(context, { transactionID: 'T1' })).resolves.toMatchObject({ transactionID: 'T1', returnCode: '0' });
  expect(sent.map(({ url }) => url)).toEqual(['https://payment.example/V2/1234/${name}']);
  await expect(sent[0]?.json()).resolves.toMatchObject({ transactionID: 'T1', serviceProvider: 'DIRECT' });
});

it('refuses an empty transactionID before anything is sent', async () => {
  const { context, sent } = contextAnswering({});

  await expect(${name}(context, { transactionID: '' })).rejects.toMatchObject({ code: 'invalid_input' });
  expect(sent).toEqual([]);
});

it('names the field that is missing in an answer', async () => {
  const { context } = contextAnswering({ returnCode: '0' });

  await expect(${name}(context, { transactionID: 'T1' })).rejects.toMatchObject({
    code: 'invalid_response',
    path: 'transactionID',
  });
});

it('is declined when the returnCode is not 0', async () => {
  const { context } = contextAnswering({ transactionID: 'T1', returnCode: '12' });

  await expect(${name}(context, { transactionID: 'T1' })).rejects.toMatchObject({ code: 'declined', returnCode: '12' });
});
`,
      [`docs/upstream/${file}.md`]: `# \`${name}\`

Specification: the section that describes the call.

## What the specification says

Address, fields, answer.

## What it leaves open, and what we do

| Open | What \`@innkeep/core\` does | What the sandbox does |
| ---- | ------------------------- | -------------------- |
| values of \`returnCode\` other than 0 | throws \`declined\` with the value | refuses with a value of its profile |
`,
      [endpoint]: `/** @see upstream API, section "Endpoints" */
import type { World } from '../world.ts';
import { type ApiCall, readJson, requireBearer } from './api-call.ts';
import { planOperation, replyIfPrevented } from './plan-operation.ts';
import { jsonReply, type Reply, successCode } from './reply.ts';

/** \`POST /V2/<customer_id>/${name}\`: one sentence about what it does. */
export function ${name}(world: World, call: ApiCall): Reply {
  const bearer = requireBearer(world, call);
  const request = readJson(call);
  const planned = planOperation(world, '${name}');
  const prevented = replyIfPrevented(world, planned, { bearer });
  if (prevented !== undefined) return prevented;
  const transactionID = typeof request === 'object' && request !== null && 'transactionID' in request ? request.transactionID : '';
  return jsonReply({ transactionID, returnCode: successCode(world, planned.plan) }, planned.extras);
}
`,
    },
    edited: {
      'packages/core/src/index.ts': append(
        read('packages/core/src/index.ts'),
        `export { type ${type}Input, type ${type}Result, ${name} } from './operations/${file}.ts';\n`,
      ),
      'packages/sandbox/src/domain/plan.ts': insertBefore(
        read('packages/sandbox/src/domain/plan.ts'),
        "  'gateway',\n",
        `  '${name}',\n`,
      ),
      'packages/sandbox/src/app.ts': insertBefore(
        importing(read('packages/sandbox/src/app.ts'), name, `./endpoints/${file}.ts`),
        "  { method: 'GET', path: '/:customer/paystatus'",
        `  { method: 'POST', path: '/V2/:customer/${name}', operation: '${name}', endpoint: ${name} },\n`,
      ),
    },
    next: [
      `replace the made-up fields in ${core}.ts and its test by those of the specification, and choose its class`,
      `write docs/upstream/${file}.md: section, what is left open, what we do`,
      `write ${endpoint} from the specification, not from core; give it a request table in wire/request-tables.ts`,
      'offer it as a method in packages/core/src/client.ts',
      'say it to users: npx pnpm changeset',
    ],
  };
}

function element(tag: string, read: Read): Scaffold {
  const type = toPascal(tag);
  const folder = `packages/widgets/src/elements/${tag}`;
  return {
    created: {
      [`${folder}/${tag}.ts`]: `/** \`<${tag}>\`: one sentence about what it shows. */
import { type CSSResultGroup, html, LitElement, type TemplateResult } from '#lit';
import { tokens } from '../../styles/tokens.styles.ts';
import { widgetStyles } from '../../styles/widget.styles.ts';

/**
 * One paragraph about what it is for.
 *
 * @summary One sentence about what it is for.
 * @tagname ${tag}
 * @slot - What it shows.
 * @csspart base - The card.
 */
export class ${type} extends LitElement {
  static override readonly styles: CSSResultGroup = [tokens, widgetStyles];

  protected override render(): TemplateResult {
    return html\`<div class="base" part="base"><slot></slot></div>\`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    '${tag}': ${type};
  }
}
`,
      [`${folder}/define.ts`]: `/** Defines \`<${tag}>\`. Import path: \`@innkeep/widgets/define/${tag}\`. */
import { defineElement } from '../../base/define-element.ts';
import { ${type} } from './${tag}.ts';

defineElement('${tag}', ${type});
`,
      [`${folder}/README.md`]: `# \`<${tag}>\`

One paragraph about what it is for.

\`\`\`html
<script type="module" src="https://hotel.example/innkeep/widgets.js"></script>
<${tag}>…</${tag}>
\`\`\`

## Reference

<!-- reference: made from custom-elements.json -->
<!-- /reference -->
`,
      [`${folder}/${tag}.test.ts`]: `import { afterEach, expect, test } from 'vitest';
import { part, violations } from '../../../test-support/fixture.ts';
import './define.ts';
import type { ${type} } from './${tag}.ts';

async function mounted(content: string): Promise<${type}> {
  const element = document.createElement('${tag}');
  element.textContent = content;
  document.body.append(element);
  await element.updateComplete;
  return element;
}

afterEach(() => {
  document.body.replaceChildren();
});

test('is accessible', async () => {
  expect(await violations(await mounted('A notice'))).toEqual([]);
});

test('shows what it is given', async () => {
  const element = await mounted('A notice');

  expect(element.textContent).toBe('A notice');
  expect(part(element, 'base')).not.toBeNull();
});
`,
    },
    edited: {
      'packages/widgets/src/define-all.ts': append(
        read('packages/widgets/src/define-all.ts'),
        `import './elements/${tag}/define.ts';\n`,
      ),
      'packages/widgets/src/index.ts': append(
        read('packages/widgets/src/index.ts'),
        `export { ${type} } from './elements/${tag}/${tag}.ts';\n`,
      ),
    },
    next: [
      `write ${folder}/${tag}.ts; state and time belong into a controller, texts into localization/`,
      `describe attributes, events, slots and parts above the class; npx pnpm build makes the tables of ${folder}/README.md from it`,
      'say it to users: npx pnpm changeset',
    ],
  };
}

function route(name: string, read: Read): Scaffold {
  const variable = toCamel(name);
  const file = `packages/edge-proxy/src/routes/${name}.ts`;
  const list = 'packages/edge-proxy/src/routes/all-routes.ts';
  const descriptions = 'packages/edge-proxy/openapi/operations.ts';
  return {
    created: {
      [file]: `/** \`GET /v1/${name}\`: one sentence about what it answers. */
import { authenticateMerchant } from '../middleware/merchant-auth.ts';
import type { Route } from './route.ts';

/** The route. */
export const ${variable}: Route = {
  method: 'GET',
  path: '/v1/${name}',
  handle: async (c) => {
    const { property } = await authenticateMerchant(c, 'checkout');
    return c.json({ property: property.id });
  },
};
`,
      [`packages/edge-proxy/src/routes/${name}.test.ts`]: `import { expect, it } from 'vitest';
import { ALL_ROUTES } from './all-routes.ts';
import { ${variable} } from './${name}.ts';

it('is mounted under its own address', () => {
  const sameAddress = ALL_ROUTES.filter(({ method, path }) => method === ${variable}.method && path === ${variable}.path);
  expect(sameAddress).toEqual([${variable}]);
});
`,
    },
    edited: {
      [list]: insertBefore(importing(read(list), variable, `./${name}.ts`), '  health,\n', `  ${variable},\n`),
      [descriptions]: insertBefore(
        read(descriptions),
        "  {\n    method: 'GET',\n    path: '/healthz',\n",
        `  {
    method: 'GET',
    path: '/v1/${name}',
    id: '${variable}',
    tag: 'Service',
    summary: 'One line about what it answers',
    security: 'merchant',
    scope: 'checkout',
    success: { status: 200, description: 'The answer', type: 'application/json' },
    problems: MERCHANT,
  },
`,
      ),
    },
    next: [
      'what a browser may say belongs into packages/core/src/checkout/ first: types, and schemas in contract.ts',
      `write ${file}: parse, ask policy/, call core or a store, answer`,
      `describe it in ${descriptions}, with the schema of its answer; test wrong keys, unknown fields and foreign origins`,
      'say it to users: npx pnpm changeset',
    ],
  };
}

function scenario(name: string, read: Read): Scaffold {
  const variable = toCamel(name);
  const list = 'packages/sandbox/src/scenarios/all-scenarios.ts';
  const withImport = importing(read(list), variable, `./${name}.ts`);
  return {
    created: {
      [`packages/sandbox/src/scenarios/${name}.ts`]: `import type { Scenario } from './scenario.ts';

export const ${variable}: Scenario = {
  name: '${name}',
  description: 'One sentence about what happens.',
  operations: ['pay'],
  decide: () => ({}),
};
`,
      [`packages/sandbox/src/scenarios/${name}.test.ts`]: `import { expect, it } from 'vitest';
import { scenarioNamed } from './all-scenarios.ts';
import { ${variable} } from './${name}.ts';

it('can be chosen by its name', () => {
  expect(scenarioNamed('${name}')).toBe(${variable});
});

it('decides for a payment', () => {
  expect(${variable}.decide({ step: 'pay', chosenBy: 'control' })).toEqual({});
});
`,
    },
    edited: { [list]: insertBefore(withImport, '];\n', `  ${variable},\n`) },
    next: [
      `write packages/sandbox/src/scenarios/${name}.ts: what the service does, as a plan`,
      'give it a card number, an amount and a name in scenarios/magic-table.ts if people should reach it by hand',
      'packages/sandbox/FIDELITY.md: where the behaviour comes from, and the test that shows it',
      'say it to users: npx pnpm changeset',
    ],
  };
}

/** Adds an import; the formatter puts it where it belongs. */
function importing(text: string, name: string, from: string): string {
  return insertBefore(text, 'import ', `import { ${name} } from '${from}';\n`);
}

function append(text: string, line: string): string {
  return `${text.trimEnd()}\n${line}`;
}

function insertBefore(text: string, anchor: string, addition: string): string {
  const at = text.startsWith(anchor) ? 0 : text.indexOf(`\n${anchor}`) + 1;
  if (at === 0 && !text.startsWith(anchor))
    throw new Error(
      `Found no place for “${addition.trim()}”: nothing begins with “${anchor.trim()}”. Repair scripts/scaffold.ts.`,
    );
  return text.slice(0, at) + addition + text.slice(at);
}

function toKebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function toCamel(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function toPascal(name: string): string {
  const camel = toCamel(name);
  return camel.charAt(0).toUpperCase() + camel.slice(1);
}
