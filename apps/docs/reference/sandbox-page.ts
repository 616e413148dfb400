/** How the sandbox behaves: its magic inputs, its scenarios and its control routes, from its own tables. */
import type { DeclarationReflection, SomeType } from 'typedoc';
import type { SandboxControl } from '../../../packages/sandbox/src/control/control.ts';
import { createControlRoutes } from '../../../packages/sandbox/src/control/control-routes.ts';
import { ALL_SCENARIOS } from '../../../packages/sandbox/src/scenarios/all-scenarios.ts';
import { MAGIC_ROWS, type MagicRow } from '../../../packages/sandbox/src/scenarios/magic-table.ts';
import type { ApiIndex } from './api-index.ts';
import { defaultText, summaryText } from './comment-text.ts';
import type { Gaps } from './gaps.ts';
import { address, anchored, blocks, code, heading, table } from './markdown.ts';
import type { ReferencePage } from './reference-page.ts';
import type { SourceModel } from './source-model.ts';
import { typeText } from './type-text.ts';
import { commentOf } from './type-words.ts';

const FILE = 'packages/sandbox/src/index.ts';

const LEVERS: Readonly<Record<MagicRow['lever'], { readonly title: string; readonly head: string }>> = {
  card: { title: 'Card numbers', head: 'Card number' },
  amount: { title: 'Amounts', head: 'Amount' },
  name: { title: 'Names', head: 'Name on the card' },
};

/** The page of the sandbox's behaviour. */
export function sandboxPage(model: SourceModel, index: ApiIndex, gaps: Gaps): ReferencePage {
  return {
    path: 'reference/sandbox',
    title: 'Sandbox',
    description: 'The magic inputs, scenarios and control routes of the sandbox.',
    markdown: blocks(
      [
        `What a program imports is in [${code('@innkeep/sandbox')}](${address('reference/sandbox/api')}); options and environment`,
        `variables are in [Configuration](${address('reference/configuration', 'options-of-the-sandbox')}).`,
      ].join(' '),
      heading(2, 'Magic inputs'),
      [
        'What is typed on the hosted page, or sent as an amount, chooses a scenario. A name beats an amount, an amount beats a',
        'card, and a choice through the control routes beats them all. Inputs that are not in the tables take the ordinary way.',
      ].join('\n'),
      ...Object.entries(LEVERS).flatMap(([lever, { title, head }]) => [
        heading(3, title),
        table(
          [head, 'Scenario', 'What happens'],
          MAGIC_ROWS.filter((row) => row.lever === lever).map(({ input, scenario, effect }) => [
            code(input),
            scenarioLink(scenario),
            effect,
          ]),
        ),
      ]),
      heading(2, 'Scenarios'),
      'A scenario can be chosen for the operations that it names, also without a magic input.',
      table(
        ['Scenario', 'What happens', 'Operations'],
        ALL_SCENARIOS.map(({ name, description, operations }) => [
          anchored(scenarioAnchor(name), code(name)),
          description,
          operations.map(code).join(', '),
        ]),
      ),
      heading(2, 'Control routes'),
      'Each does what the function of the same name on `sandbox.control` does. Bodies and answers are JSON.',
      ...controlRoutes().map((route) => controlEntry(route, { model, index, gaps })),
    ),
  };
}

function scenarioAnchor(name: string): string {
  return `scenario-${name}`;
}

function scenarioLink(name: string): string {
  return `[${code(name)}](#${scenarioAnchor(name)})`;
}

interface ControlRoute {
  readonly method: string;
  /** Below `/__sandbox`. */
  readonly path: string;
}

/** The routes that are mounted; those that answer a wrong method, or serve a file of the hosted page, are no controls. */
function controlRoutes(): readonly ControlRoute[] {
  // Only the list of routes is read: no function of the control is called.
  const { routes } = createControlRoutes({} as SandboxControl);
  return routes.filter(({ method, path }) => method !== 'ALL' && !path.startsWith('/assets/'));
}

function controlEntry(
  { method, path }: ControlRoute,
  { model, index, gaps }: { readonly model: SourceModel; readonly index: ApiIndex; readonly gaps: Gaps },
): string {
  const { find } = index;
  const name = path.slice(1);
  const control = model.declaration(FILE, 'SandboxControl').children?.find((each) => each.name === name);
  const signature = control?.signatures?.[0];
  if (control === undefined || signature === undefined) throw new Error(`No control function belongs to ${path}.`);
  const parameter = signature.parameters?.[0];
  const answer = awaited(signature.type);
  const fields = method === 'POST' ? bodyFields(parameter?.type, model) : [];
  return blocks(
    heading(3, `${method} /__sandbox${path}`),
    gaps.require(summaryText(commentOf(control), find), `control route ${path}`),
    method === 'GET' && parameter !== undefined ? `Query: ${code(`${parameter.name}?`)}.` : '',
    table(
      ['Field', 'Type', 'Meaning'],
      fields.map((field) => [
        code(`${field.name}${field.flags.isOptional ? '?' : ''}`),
        typeText(field.type, find),
        [
          gaps.require(summaryText(commentOf(field), find), `control route ${path}: ${field.name}`),
          defaultText(field.comment, find),
        ].join(' '),
      ]),
    ),
    answer === 'void' ? '' : `Answers ${typeText(answer, find)}.`,
  );
}

/** What a function answers in the end; `void` for nothing. */
function awaited(type: SomeType | undefined): SomeType | 'void' {
  if (type === undefined || (type.type === 'intrinsic' && type.name === 'void')) return 'void';
  const [inner] = type.type === 'reference' && type.name === 'Promise' ? (type.typeArguments ?? []) : [];
  return inner ?? type;
}

function bodyFields(type: unknown, model: SourceModel): readonly DeclarationReflection[] {
  const {
    type: kind,
    name = '',
    declaration,
  } = Object(type) as {
    readonly type?: string;
    readonly name?: string;
    readonly declaration?: DeclarationReflection;
  };
  if (kind === 'reflection') return declaration?.children ?? [];
  return kind === 'reference' ? (model.declaration(FILE, name).children ?? []) : [];
}
