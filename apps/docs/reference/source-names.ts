/**
 * The names that the reference must have entries for, found in the sources in other ways than the pages are made: the check
 * in `scripts/check-reference.ts` compares the two. It uses nothing of the generators.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Program, parseSync } from 'oxc-parser';
import type { GenericSchema } from 'valibot';
import { createProgram } from '../../../packages/cli/src/program.ts';
import { PropertySchema } from '../../../packages/edge-proxy/src/config/property-schema.ts';
import { isMoneyNews, MONEY_STATES } from '../../../packages/edge-proxy/src/policy/money-machine.ts';
import {
  SESSION_EVENTS,
  SESSION_TRANSITIONS,
  sessionEventType,
} from '../../../packages/edge-proxy/src/policy/session-machine.ts';
import { walk } from '../../../scripts/module-imports.ts';
import { publicPackages, ROOT, readText } from '../../../scripts/workspace.ts';

/** Names of one kind, and where the reference has their entries. */
export interface NamedThings {
  /** What they are: `exported name`. */
  readonly kind: string;
  /** Path of the page; its entries of this kind and these names must be the same. */
  readonly page: string;
  readonly names: readonly string[];
  /** How the page shows them. */
  readonly entry: EntryForm;
}

/** What counts as an entry. */
export type EntryForm =
  /** A heading of a level; with `matching`, only such headings. */
  | { readonly form: 'heading'; readonly level: 2 | 3; readonly matching?: RegExp }
  /** An anchor that begins with a prefix; with `within`, in the section of that heading alone. */
  | { readonly form: 'anchor'; readonly prefix: string; readonly within?: string }
  /** Code in the first cell of a table's row, in the section of a heading. */
  | { readonly form: 'row'; readonly within: string };

/** Every name of every kind. */
export async function sourceNames(): Promise<readonly NamedThings[]> {
  return [
    ...exportedNames(),
    ...widgetImportNames(),
    ...elementNames(),
    ...routeNames(await mountedRoutes()),
    { kind: 'error code', page: 'reference/errors', names: errorCodes(), entry: { form: 'heading', level: 3 } },
    { kind: 'event type', page: 'reference/events', names: eventTypes(), entry: { form: 'heading', level: 3 } },
    ...settingNames(),
    ...commandNames(),
    ...sandboxNames(),
    ...stateNames(),
  ];
}

function exportedNames(): readonly NamedThings[] {
  // These are registered, loaded or generated: widgetImportNames has them.
  const nameless = /^@innkeep\/widgets\/(define|cdn|types|editor)\b/;
  return publicPackages().flatMap(({ folder, manifest }) =>
    Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) => {
      const specifier = `${manifest.name}${subpath.slice(1)}`;
      if (nameless.test(specifier)) return [];
      const source = `${folder}/${target.replace('./dist/', 'src/').replace(/\.js$/, '.ts')}`;
      return sourceFiles(source).map((file) => {
        const member = source.includes('*') ? file.slice(source.indexOf('*'), file.lastIndexOf('.')) : '';
        return {
          kind: `export of ${specifier.replace('*', member)}`,
          page: pageOf(specifier.replace('*', member)),
          names: exportsOf(file),
          entry: { form: 'heading', level: 2 },
        } as const;
      });
    }),
  );
}

/** What the subpaths of the elements hold that are not made of one source file each: as it was built. */
function widgetImportNames(): readonly NamedThings[] {
  const page = 'reference/widgets/other-imports';
  const built = (pattern: string): readonly string[] => globSync(pattern, { cwd: join(ROOT, 'packages/widgets/dist') });
  const rows = (kind: string, within: string, names: readonly string[]): NamedThings => ({
    kind,
    page,
    names,
    entry: { form: 'row', within },
  });
  const own = (path: string): string => `@innkeep/widgets/${path.replaceAll('\\', '/')}`;
  return [
    rows('defining module', 'Definitions', [
      own('define'),
      ...built('elements/*/define.js').map((file) => own(`define/${/elements.(.*).define\.js$/.exec(file)?.[1]}`)),
    ]),
    rows('file of @innkeep/widgets', 'Files', built('{cdn,editor}/*.{js,json}').map(own)),
    ...built('types/*.d.ts').map((file) => {
      const specifier = own(file.replace(/\.d\.ts$/, ''));
      return rows(`export of ${specifier}`, specifier, exportsOf(join('packages/widgets/dist', file)));
    }),
  ];
}

/** `@innkeep/core/errors` → `reference/core/errors`; the sandbox's own page is about its behaviour. */
function pageOf(specifier: string): string {
  const path = specifier.replace('@innkeep/', 'reference/');
  return path === 'reference/sandbox' ? 'reference/sandbox/api' : path;
}

function exportsOf(file: string): readonly string[] {
  const names = new Set<string>();
  for (const statement of parse(file).body) {
    if (statement.type === 'ExportDefaultDeclaration') names.add('default');
    if (statement.type !== 'ExportNamedDeclaration') continue;
    for (const { exported } of statement.specifiers) names.add('name' in exported ? exported.name : exported.value);
    const { declaration } = statement;
    if (declaration === null) continue;
    if (declaration.type === 'VariableDeclaration') {
      for (const { id } of declaration.declarations) if (id.type === 'Identifier') names.add(id.name);
    } else if ('id' in declaration && declaration.id !== null && 'name' in declaration.id) {
      names.add(String(declaration.id.name));
    }
  }
  return [...names];
}

interface ManifestDeclaration {
  readonly tagName?: string;
  readonly attributes?: readonly { readonly name: string; readonly fieldName?: string }[];
  readonly events?: readonly { readonly name: string }[];
  readonly slots?: readonly { readonly name: string }[];
  readonly cssParts?: readonly { readonly name: string }[];
  readonly cssProperties?: readonly { readonly name: string }[];
  readonly members?: readonly { readonly kind: string; readonly name: string; readonly readonly?: boolean }[];
}

function elementNames(): readonly NamedThings[] {
  const { modules } = JSON.parse(readText('packages/widgets/custom-elements.json')) as {
    readonly modules: readonly { readonly declarations?: readonly ManifestDeclaration[] }[];
  };
  const declared = modules.flatMap(({ declarations = [] }) => declarations);
  // The tags come from the registrations, so that an element without a manifest entry is noticed.
  const tags = sourceFiles('packages/widgets/src/elements/*/define.ts').flatMap(
    (file) => /defineElement\('([\w-]+)'/.exec(readText(file))?.[1] ?? [],
  );
  return tags.flatMap((tag) => {
    const element = declared.find(({ tagName }) => tagName === tag) ?? {};
    const { attributes = [], events = [], slots = [], cssParts = [], cssProperties = [], members = [] } = element;
    const readOnly = new Set(members.flatMap((each) => (each.readonly === true ? each.name : [])));
    const things = (kind: string, prefix: string, names: readonly string[]): NamedThings => ({
      kind: `${kind} of <${tag}>`,
      page: `reference/elements/${tag}`,
      names,
      entry: { form: 'anchor', prefix },
    });
    const name = (each: { readonly name: string }): string => each.name;
    return [
      // An attribute that only shows a state is described with its property.
      things(
        'attribute',
        'attribute-',
        attributes.filter((each) => !readOnly.has(each.fieldName ?? each.name)).map(name),
      ),
      things('event', 'event-', events.map(name)),
      things(
        'slot',
        'slot-',
        slots.map((each) => each.name || 'default'),
      ),
      things('part', 'part-', cssParts.map(name)),
      things(
        'custom property',
        'css-',
        cssProperties.map((each) => each.name.replace(/^--/, '')),
      ),
      things(
        'property',
        'property-',
        members.filter((each) => each.kind === 'field').map((each) => each.name.toLowerCase()),
      ),
      things(
        'method',
        'method-',
        members.filter((each) => each.kind === 'method').map((each) => each.name.toLowerCase()),
      ),
    ];
  });
}

interface MountedRoute {
  readonly method: string;
  readonly path: string;
}

/** What the app mounts. Imported by its address: its types need those of the Workers runtime, which do not go with Node's. */
async function mountedRoutes(): Promise<readonly MountedRoute[]> {
  const address = pathToFileURL(join(ROOT, 'packages/edge-proxy/src/routes/all-routes.ts')).href;
  const { ALL_ROUTES } = (await import(address)) as { readonly ALL_ROUTES: readonly MountedRoute[] };
  return ALL_ROUTES;
}

/** Routes by the page that has them; which page that is, the first part of the address says. */
function routeNames(mounted: readonly MountedRoute[]): readonly NamedThings[] {
  const keyedEntry = /method: '(\w+)',\s*path: '([^']+)'/.exec(
    readText('packages/edge-proxy/src/routes/moto/create-card.ts'),
  );
  const routes = [...mounted, { method: keyedEntry?.[1] ?? '', path: keyedEntry?.[2] ?? '' }];
  const pages: readonly (readonly [string, RegExp])[] = [
    ['checkout-sessions', /^\/v1\/checkout-sessions/],
    ['guest', /^\/v1\/checkout(\/|$)/],
    ['charges-and-reversals', /^\/v1\/(charges|reversals|export)/],
    ['gateway', /^\/v1\/gateway/],
    ['events', /^\/v1\/events/],
    ['cards', /^\/v1\/cards/],
    ['pages', /^\/(return|pay)\//],
    // Whatever has no other page.
    ['service', /^/],
  ];
  return pages.map(([page]) => ({
    kind: 'route',
    page: `reference/http/${page}`,
    names: routes
      .filter(({ path }) => pages.find(([, pattern]) => pattern.test(path))?.[0] === page)
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}')}`),
    entry: { form: 'heading', level: 2, matching: /^[A-Z]+ \// },
  }));
}

/** Codes as they are thrown, answered and set, wherever that is written. */
function errorCodes(): readonly string[] {
  const found = (pattern: RegExp, files: string): readonly string[] =>
    sourceFiles(files).flatMap((file) => [...readText(file).matchAll(pattern)].map(([, name = '']) => name));
  const proxy = 'packages/edge-proxy/src/**/*.ts';
  const picked = [...readText('packages/core/src/checkout/contract.ts').matchAll(/code: v\.picklist\(\[([^\]]*)\]/g)];
  return [
    ...new Set([
      ...found(/(?:new ProblemError|refuse)\(\s*'(\w+)'/g, proxy),
      ...found(/^ {2}(\w+): [45]\d\d,$/gm, 'packages/edge-proxy/src/problem.ts'),
      ...found(/\bcode: '(\w+)'/g, 'packages/edge-proxy/src/{policy,durable-objects}/*.ts'),
      ...found(/super\('(\w+)'/g, 'packages/core/src/errors.ts'),
      ...picked.flatMap(([, list = '']) => [...list.matchAll(/'(\w+)'/g)].map(([, name = '']) => name)),
      ...found(/\btoError\('(\w+)'/g, 'packages/widgets/src/**/*.ts'),
      ...found(/new CliError\('(\w+)'/g, 'packages/cli/src/**/*.ts'),
    ]),
  ];
}

function eventTypes(): readonly string[] {
  const sessionStates = Object.keys(SESSION_TRANSITIONS) as (keyof typeof SESSION_TRANSITIONS)[];
  const moneyStates = MONEY_STATES.filter(isMoneyNews);
  return [
    ...new Set(sessionStates.flatMap((state) => sessionEventType(state) ?? [])),
    ...['charge', 'reversal'].flatMap((kind) => moneyStates.map((state) => `${kind}.${state}`)),
    'checkout.duplicate_payment',
    'webhook_endpoint.disabled',
    'webhook_endpoint.removed',
  ];
}

function settingNames(): readonly NamedThings[] {
  const page = 'reference/configuration';
  const anchors = (kind: string, within: string, names: readonly string[], prefix = ''): NamedThings => ({
    kind,
    page,
    names,
    entry: { form: 'anchor', prefix, within },
  });
  const variables = (files: string, pattern: RegExp): readonly string[] => [
    ...new Set(sourceFiles(files).flatMap((file) => readText(file).match(pattern) ?? [])),
  ];
  return [
    anchors(
      'field of a property',
      'Fields of a property',
      schemaPaths(PropertySchema).map((path) => path.toLowerCase().replaceAll('.', '-')),
    ),
    anchors('environment variable of the proxy', 'Environment of the proxy', [
      ...members('packages/edge-proxy/src/config/settings.ts', 'Settings').map((name) => name.toLowerCase()),
      'property_id',
    ]),
    anchors(
      'environment variable of the command line',
      'Environment of the command line',
      variables('packages/cli/src/**/*.ts', /\bINNKEEP_[A-Z_]*[A-Z]\b/g).map((name) => name.toLowerCase()),
    ),
    anchors(
      'environment variable of the sandbox',
      'Environment of the sandbox',
      members('packages/sandbox/src/worker.ts', 'SandboxEnvironment').map((name) => name.toLowerCase()),
    ),
  ];
}

/** A schema as it is built by the library, as far as fields are concerned. */
type SchemaParts = GenericSchema & {
  readonly entries?: Readonly<Record<string, SchemaParts>>;
  readonly wrapped?: SchemaParts;
  readonly item?: SchemaParts;
};

/** Dotted paths of all fields of a schema; a list's items have the path of the list. */
function schemaPaths(schema: SchemaParts, prefix = ''): readonly string[] {
  const inner = schema.wrapped ?? schema.item;
  if (inner !== undefined) return schemaPaths(inner, prefix);
  return Object.entries(schema.entries ?? {}).flatMap(([name, field]) => [
    `${prefix}${name}`,
    ...schemaPaths(field, `${prefix}${name}.`),
  ]);
}

/** Names of an interface's members. */
function members(file: string, name: string): readonly string[] {
  const names: string[] = [];
  walk(parse(file), (node) => {
    if (node.type !== 'TSInterfaceDeclaration' || (node.id as { readonly name?: string }).name !== name) return;
    const { body } = node.body as { readonly body: readonly { readonly key?: { readonly name?: string } }[] };
    names.push(...body.flatMap(({ key }) => key?.name ?? []));
  });
  return names;
}

/** Commands and options as `--help` lists them. */
function commandNames(): readonly NamedThings[] {
  const program = createProgram({ execute: async () => {}, output: {} });
  const page = 'reference/command-line';
  const help = (path: readonly string[]): string => {
    let command = program;
    for (const name of path) command = command.commands.find((each) => each.name() === name) ?? command;
    return command.helpInformation();
  };
  const listed = (text: string, section: string): readonly string[] => {
    const block = text.split(new RegExp(`^${section}:$`, 'm'))[1]?.split(/^\S/m)[0] ?? '';
    return [...block.matchAll(/^ {2}(--[\w-]+|\w[\w-]*)/gm)].map(([, name = '']) => name);
  };
  const isCommand = (name: string): boolean => name !== 'help';
  const groups = listed(help([]), 'Commands').filter(isCommand);
  const commands = groups.flatMap((group) =>
    listed(help([group]), 'Commands')
      .filter(isCommand)
      .map((name) => [group, name]),
  );
  const options = (text: string): readonly string[] =>
    listed(text, 'Options')
      .filter((name) => name !== '--help')
      .map((name) => name.replace(/^-/, ''));
  return [
    {
      kind: 'group of commands',
      page,
      names: groups.map((name) => `innkeep ${name}`),
      entry: { form: 'heading', level: 2, matching: /^innkeep / },
    },
    {
      kind: 'command',
      page,
      names: commands.map((path) => `innkeep ${path.join(' ')}`),
      entry: { form: 'heading', level: 3 },
    },
    {
      kind: 'option of every command',
      page,
      names: listed(help([]), 'Options').map((name) => `option${name.slice(1)}`),
      entry: { form: 'anchor', prefix: '', within: 'Options of every command' },
    },
    ...commands.map(
      (path): NamedThings => ({
        kind: `option of innkeep ${path.join(' ')}`,
        page,
        names: options(help(path)).map((name) => `option${name}`),
        entry: { form: 'anchor', prefix: `innkeep-${path.join('-')}-` },
      }),
    ),
  ];
}

function sandboxNames(): readonly NamedThings[] {
  const routes = [
    ...readText('packages/sandbox/src/control/control-routes.ts').matchAll(/routes\.(get|post)\('(\/[\w/]+)'/g),
  ].map(([, method = '', path = '']) => `${method.toUpperCase()} /__sandbox${path}`);
  const scenarios = sourceFiles('packages/sandbox/src/scenarios/*.ts').flatMap((file) =>
    [...readText(file).matchAll(/: Scenario = \{\s*name: '([\w-]+)'/g)].map(([, name = '']) => name),
  );
  // What follows can be chosen, and not typed.
  const [typed = ''] = readText('packages/sandbox/MAGIC.md').split('## By control');
  const inputs = [...typed.matchAll(/^\| `([^`]+)`/gm)].map(([, input = '']) => input);
  const page = 'reference/sandbox';
  return [
    { kind: 'control route', page, names: routes, entry: { form: 'heading', level: 3, matching: /^[A-Z]+ \// } },
    { kind: 'scenario', page, names: scenarios, entry: { form: 'anchor', prefix: 'scenario-' } },
    { kind: 'magic input', page, names: inputs, entry: { form: 'row', within: 'Magic inputs' } },
  ];
}

function stateNames(): readonly NamedThings[] {
  const page = 'reference/states';
  const row = (within: string): EntryForm => ({ form: 'row', within });
  const events = [...new Set(Object.values(SESSION_TRANSITIONS).flatMap((events) => Object.keys(events)))];
  const idle = SESSION_EVENTS.filter((event) => !events.includes(event));
  if (idle.length > 0) throw new Error(`Events that lead nowhere: ${idle.join(', ')}`);
  return [
    {
      kind: 'state of a session',
      page,
      names: Object.keys(SESSION_TRANSITIONS),
      entry: row('Checkout session: states'),
    },
    { kind: 'state of a charge', page, names: MONEY_STATES, entry: row('Charge and reversal: states') },
  ];
}

function parse(file: string): Program {
  const { program, errors } = parseSync(file, readText(file));
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`);
  return program;
}

/** Files of a pattern, tests left out. */
function sourceFiles(pattern: string): readonly string[] {
  return globSync(pattern, { cwd: ROOT })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.test(-d)?\.ts$/.test(file))
    .sort();
}
