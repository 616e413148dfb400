// Prevents: an import against the arrows. The package boundary is the trust boundary (code that knows credentials must not
// reach a browser), and inside a package a layer that reaches upwards, or a cycle, is how structure is lost one line at a time.
import { posix } from 'node:path';
import { type ModuleImport, type ModuleSummary, summarizeModule } from './module-imports.ts';
import { type Problem, reportProblems } from './report-problems.ts';
import { isSourceFile, readText, repositoryFiles, type WorkspacePackage, workspacePackages } from './workspace.ts';

/** What one package's sources may import. Paths are relative to its src folder. */
interface PackageRules {
  /** Workspace specifiers it may import: a whole package, or single subpaths. */
  readonly workspace: readonly string[];
  /** Top-level names in src, lowest layer first. A name imports itself and lower rows; names in one row ignore each other. */
  readonly layers: readonly (readonly string[])[];
}

/** The arrows between packages, and the layers inside each. A new folder in src needs a row here. */
export const PACKAGE_RULES: Readonly<Record<string, PackageRules>> = {
  'packages/core': {
    workspace: [],
    layers: [
      ['errors'],
      ['values'],
      ['polling'],
      ['webhooks', 'checkout'],
      ['schemas'],
      ['hosted'],
      ['http'],
      ['auth'],
      ['context'],
      ['operations', 'gateway'],
      ['merchant'],
      ['flows'],
      ['client'],
      ['index'],
    ],
  },
  'packages/sandbox': {
    workspace: [],
    layers: [
      ['wire'],
      ['domain'],
      ['profiles', 'scenarios'],
      ['settings'],
      ['world'],
      ['bookkeeping'],
      ['endpoints'],
      ['hosted-page', 'deliver'],
      ['control'],
      ['app'],
      ['sandbox'],
      ['serve-sandbox', 'serve-options'],
      ['index', 'serve', 'worker'],
    ],
  },
  'packages/edge-proxy': {
    workspace: ['@innkeep/core'],
    layers: [
      ['crypto'],
      ['ids', 'problem', 'version'],
      ['policy'],
      ['config'],
      ['durable-objects'],
      ['stores'],
      ['pages'],
      ['middleware'],
      ['routes'],
      ['app'],
      ['worker-app'],
      ['worker', 'worker-moto'],
    ],
  },
  'packages/widgets': {
    // Only the subpaths of core that hold no secret: what is imported here runs in a guest's browser.
    workspace: ['@innkeep/core/checkout', '@innkeep/core/polling', '@innkeep/core/errors', '@innkeep/core/values'],
    layers: [
      ['styles'],
      ['localization'],
      ['state'],
      ['events'],
      ['controllers'],
      ['views'],
      ['base'],
      ['elements'],
      ['define-all', 'index'],
    ],
  },
  'packages/cli': {
    workspace: ['@innkeep/core'],
    layers: [
      ['exit-code', 'environment', 'io', 'version'],
      ['cli-error'],
      ['explain-error'],
      ['terminal'],
      ['input'],
      ['property'],
      ['command-context'],
      ['checks'],
      ['commands'],
      ['program'],
      ['run'],
      ['main'],
    ],
  },
  'apps/demo': {
    workspace: ['@innkeep/core', '@innkeep/edge-proxy', '@innkeep/sandbox', '@innkeep/widgets'],
    layers: [
      ['booking', 'clock', 'files'],
      ['hood'],
      ['payments', 'room-lookup'],
      ['pages'],
      ['routes'],
      ['app'],
      ['serve'],
    ],
  },
  'apps/docs': {
    // The pages of the reference are made from the built packages.
    workspace: ['@innkeep/cli', '@innkeep/core', '@innkeep/edge-proxy', '@innkeep/sandbox', '@innkeep/widgets'],
    layers: [
      ['addresses', 'html-tree', 'markdown', 'page-table', 'search-weight', 'table-widths'],
      ['collect-pages', 'finish-html'],
      ['rewrite-links', 'sidebar'],
      ['stage', 'twins'],
      ['build'],
    ],
  },
};

/** Folders of core that end up in a guest's browser. They import each other and nothing else of core. */
export const SECRET_FREE: readonly string[] = ['errors', 'values', 'polling', 'checkout'];

/** Folders that read other packages' sources by path: what they make is about those sources, exported or not. */
const READS_SOURCES: readonly string[] = ['apps/docs/reference/'];

/** Outside modules that belong to one place. `within` are path prefixes; tests are exempt. */
const RESTRICTED: readonly {
  readonly specifier: RegExp;
  readonly package: string;
  readonly within: readonly string[];
}[] = [
  { specifier: /^@rgrove\/parse-xml$/, package: 'packages/core', within: ['gateway/'] },
  { specifier: /^@clack\/prompts$/, package: 'packages/cli', within: ['terminal/'] },
  { specifier: /^commander$/, package: 'packages/cli', within: ['commands/', 'program.ts', 'run.ts'] },
  { specifier: /^node:/, package: 'packages/core', within: [] },
  { specifier: /^node:/, package: 'packages/widgets', within: [] },
  {
    specifier: /^cloudflare:/,
    package: 'packages/edge-proxy',
    within: ['durable-objects/', 'worker.ts', 'worker-moto.ts'],
  },
  { specifier: /^node:/, package: 'packages/edge-proxy', within: [] },
];

/** Where a source file stands: its package, and its path below src when it is a source of that package. */
interface Place {
  readonly package?: string;
  /** Path below src, when the file is there. */
  readonly inSrc?: string;
  /** Top-level name in src, without extension. */
  readonly layer?: string;
  readonly isTest: boolean;
}

/** Applies every rule to the given modules. `entryPoints` are the source files behind the packages' exports. */
export function findImportProblems(
  modules: readonly ModuleSummary[],
  entryPoints: ReadonlySet<string>,
): readonly Problem[] {
  return [
    ...modules.flatMap((module) => module.imports.flatMap((each) => checkImport(module.file, each, entryPoints))),
    ...modules.flatMap((module) => checkModule(module, entryPoints)),
    ...findCycles(modules),
  ];
}

function checkModule(module: ModuleSummary, entryPoints: ReadonlySet<string>): readonly Problem[] {
  const { file } = module;
  const place = placeOf(file);
  const problems: Problem[] = [];
  const rules = place.package === undefined ? undefined : PACKAGE_RULES[place.package];
  if (place.package !== undefined && rules === undefined) {
    problems.push({ file, message: `${place.package} has no row in PACKAGE_RULES: say what it may import` });
  }
  if (rules !== undefined && rules.layers.length > 0 && place.layer !== undefined && !place.isTest) {
    if (rankOf(rules, place.layer) === -1) {
      problems.push({ file, message: `"${place.layer}" has no layer in PACKAGE_RULES: say what it stands on` });
    }
  }
  if (place.inSrc !== undefined && !place.isTest && module.isBarrel && !entryPoints.has(file)) {
    problems.push({ file, message: 'only re-exports, and no entry point of the package: import the files instead' });
  }
  return problems;
}

function checkImport(
  file: string,
  { specifier, line, kind }: ModuleImport,
  entryPoints: ReadonlySet<string>,
): readonly Problem[] {
  const from = placeOf(file);
  const problem = (message: string): Problem => ({ file, line, message });
  const problems: Problem[] = [];

  if (kind === 're-export-all' && from.package !== undefined) {
    problems.push(problem(`export * from "${specifier}": list the names one by one`));
  }
  if (!specifier.startsWith('.')) return [...problems, ...checkOutside(from, specifier).map(problem)];

  const target = posix.join(posix.dirname(file), specifier);
  const to = placeOf(target);
  if (target.startsWith('tests/') && !file.startsWith('tests/')) {
    problems.push(problem(`imports ${target}: nothing imports tests/`));
  }
  if (from.package !== to.package && from.package !== undefined && !target.startsWith('tests/')) {
    // Test and build set-up may share the root's scripts; shipped sources may not leave their package by path.
    const isSetUp = from.isTest || from.inSrc === undefined;
    const readsSources = READS_SOURCES.some((folder) => file.startsWith(folder)) && target.startsWith('packages/');
    if (!readsSources && (!isSetUp || !target.startsWith('scripts/')))
      problems.push(problem(`imports ${target} by path: leave a package by its name`));
    return problems;
  }
  if (to.package !== undefined && from.package === undefined && to.inSrc !== undefined) {
    problems.push(problem(`imports ${target} by path: use the package's name and one of its subpaths`));
    return problems;
  }
  if (from.inSrc === undefined || from.isTest) return problems;
  if (to.isTest) problems.push(problem(`imports ${target}: shipped code does not import test code`));
  return [...problems, ...checkInside(file, from, target, to, entryPoints).map(problem)];
}

/** Rules for imports that stay inside one package's src. */
function checkInside(
  file: string,
  from: Place,
  target: string,
  to: Place,
  entryPoints: ReadonlySet<string>,
): readonly string[] {
  const messages: string[] = [];
  const rules = PACKAGE_RULES[from.package ?? ''];
  if (rules === undefined || from.layer === undefined || to.layer === undefined) return messages;

  if (rules.layers.length > 0 && from.layer !== to.layer) {
    const [own, other] = [rankOf(rules, from.layer), rankOf(rules, to.layer)];
    if (own !== -1 && other !== -1 && other >= own) {
      messages.push(`${from.layer} imports ${to.layer}, which stands ${other === own ? 'beside' : 'above'} it`);
    }
  }
  if (from.package === 'packages/core' && SECRET_FREE.includes(from.layer) && !SECRET_FREE.includes(to.layer)) {
    messages.push(`${from.layer} runs in browsers and imports ${to.layer}, which is not of the secret-free set`);
  }
  if (posix.basename(target) === 'index.ts' && posix.basename(file) !== 'index.ts' && entryPoints.has(target)) {
    messages.push(`imports the entry point ${target}: import the file that owns the name`);
  }
  if (from.package === 'packages/widgets' && from.layer === 'elements') {
    const [own, other] = [posix.dirname(from.inSrc ?? ''), posix.dirname(to.inSrc ?? '')];
    // Files directly in elements/ are what elements have in common.
    if (to.layer === 'elements' && own !== other && other !== 'elements')
      messages.push(`element ${own} imports element ${other}: share a controller instead`);
  }
  if (posix.basename(target) === 'define.ts' && from.layer !== 'define-all') {
    messages.push(`imports ${target}: importing a class must not register it`);
  }
  return messages;
}

/** Rules for imports of other packages. */
function checkOutside(from: Place, specifier: string): readonly string[] {
  const messages: string[] = [];
  const rules = from.package === undefined ? undefined : PACKAGE_RULES[from.package];
  if (rules !== undefined && specifier.startsWith('@innkeep/')) {
    const isAllowed = rules.workspace.some(
      (allowed) => specifier === allowed || (isWhole(allowed) && specifier.startsWith(`${allowed}/`)),
    );
    // Tests may name their own package, the way its users do.
    const isOwn = from.isTest && specifier.split('/')[1] === from.package?.split('/')[1];
    if (!isAllowed && !isOwn) {
      const allowed = rules.workspace.length === 0 ? 'no workspace package' : `only ${rules.workspace.join(', ')}`;
      messages.push(`imports ${specifier}: ${from.package} may import ${allowed}`);
    }
  }
  if (from.isTest || from.inSrc === undefined) return messages;
  const { inSrc } = from;
  for (const rule of RESTRICTED) {
    if (rule.package !== from.package || !rule.specifier.test(specifier)) continue;
    if (rule.within.some((prefix) => inSrc.startsWith(prefix))) continue;
    messages.push(
      `imports ${specifier}, which ${rule.package} allows ${rule.within.length === 0 ? 'nowhere' : `only in ${rule.within.join(', ')}`}`,
    );
  }
  const isBrowserCode = from.package === 'packages/core' && SECRET_FREE.includes(from.layer ?? '');
  if (isBrowserCode && specifier === 'valibot' && inSrc !== 'checkout/contract.ts') {
    messages.push('imports valibot: browsers get types only; schemas live in checkout/contract.ts');
  }
  return messages;
}

/** True for `@innkeep/core`, false for `@innkeep/core/checkout`. */
function isWhole(specifier: string): boolean {
  return specifier.split('/').length === 2;
}

function rankOf(rules: PackageRules, layer: string): number {
  return rules.layers.findIndex((row) => row.includes(layer));
}

function placeOf(file: string): Place {
  const [parent, name, ...rest] = file.split('/');
  const isTest = /\.(test|test-d)\.tsx?$/.test(file) || rest.some((part) => part === 'test' || part === 'test-support');
  if ((parent !== 'packages' && parent !== 'apps') || name === undefined) return { isTest };
  const place = { package: `${parent}/${name}`, isTest };
  if (rest[0] !== 'src') return place;
  const top = rest[1] ?? '';
  return { ...place, inSrc: rest.slice(1).join('/'), layer: rest.length === 2 ? top.replace(/\.[^.]+$/, '') : top };
}

/** One problem per group of files that reach each other, type imports included (Tarjan's algorithm). */
function findCycles(modules: readonly ModuleSummary[]): readonly Problem[] {
  const graph = new Map<string, readonly string[]>(
    modules.map(({ file, imports }) => [
      file,
      imports
        .filter((each) => each.specifier.startsWith('.'))
        .map((each) => posix.join(posix.dirname(file), each.specifier)),
    ]),
  );
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const problems: Problem[] = [];

  const visit = (file: string): number => {
    const index = order.size;
    order.set(file, index);
    stack.push(file);
    let lowest = index;
    for (const target of graph.get(file) ?? []) {
      if (!graph.has(target)) continue;
      if (!order.has(target)) lowest = Math.min(lowest, visit(target));
      else if (stack.includes(target)) lowest = Math.min(lowest, order.get(target) ?? lowest);
    }
    low.set(file, lowest);
    if (lowest === index) {
      const group = stack.splice(stack.indexOf(file));
      const selfImport = graph.get(file)?.includes(file) === true;
      if (group.length > 1 || selfImport)
        problems.push({ file, message: `import cycle: ${[...group, file].join(' → ')}` });
    }
    return lowest;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return problems;
}

/** Source files behind the exports and bins of the packages: the only places where a barrel may stand. */
export function entryPointsOf(packages: readonly WorkspacePackage[], files: readonly string[]): ReadonlySet<string> {
  const patterns = packages.flatMap(({ folder, manifest }) =>
    [...Object.values(manifest.exports ?? {}), ...Object.values(manifest.bin ?? {})]
      .filter((target) => target.startsWith('./dist/') && target.endsWith('.js'))
      .map((target) => `${folder}/src/${target.slice('./dist/'.length, -'.js'.length)}.ts`)
      .map((path) => new RegExp(`^${path.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]+')}$`)),
  );
  return new Set(files.filter((file) => patterns.some((pattern) => pattern.test(file))));
}

if (import.meta.main) {
  const files = repositoryFiles().filter(isSourceFile);
  const modules = files.map((file) => summarizeModule(file, readText(file)));
  reportProblems(
    findImportProblems(modules, entryPointsOf(workspacePackages(), files)),
    'Move the code to the layer that may import it, or, when the layout itself changes, change the table in scripts/check-import-rules.ts.',
    `${modules.length} modules`,
  );
}
