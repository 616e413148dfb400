// Who may import whom: the arrows of ARCHITECTURE.md. The package boundary is the trust boundary, since code that knows
// credentials must not reach a browser; inside a package every layer imports lower ones only. `npx pnpm check:imports` reads it.

/** What each package may import of the others: whole packages, or single subpaths. */
const ARROWS = {
  'packages/core': [],
  'packages/sandbox': [],
  'packages/edge-proxy': ['@innkeep/core'],
  // Only the subpaths of core that hold no secret: what is imported here runs in a guest's browser.
  'packages/widgets': ['@innkeep/core/checkout', '@innkeep/core/errors', '@innkeep/core/values'],
  'packages/react': ['@innkeep/widgets'],
  // It runs in a browser at the reception, with the secret of a desk session. Of the contract it has the types, as its bundle shows.
  'packages/desk': [
    '@innkeep/core/contract',
    '@innkeep/core/values',
    '@innkeep/widgets/styles',
    '@innkeep/widgets/localization',
    '@innkeep/widgets/views',
  ],
  'packages/cli': ['@innkeep/core', '@innkeep/edge-proxy/serve', '@innkeep/sandbox'],
  // What it writes depends on them all; itself it runs before anything is installed.
  'packages/create-innkeep': [],
  'apps/demo': ['@innkeep/core', '@innkeep/desk', '@innkeep/edge-proxy', '@innkeep/sandbox', '@innkeep/widgets'],
  'apps/docs': [],
};

/** Files and folders of each src, lowest layer first. Those in one row do not import each other. A new one needs a place here. */
const LAYERS = {
  'packages/core': [
    'errors',
    'values',
    'polling',
    'contract',
    'webhooks checkout',
    'schemas',
    'hosted',
    'transport',
    'auth',
    'context',
    'operation-request',
    'operations gateway',
    'merchant',
    'flows',
    'client',
    'index',
  ],
  'packages/sandbox': [
    'wire',
    'domain',
    'profiles scenarios',
    'world',
    'bookkeeping',
    'endpoints',
    'hosted-page',
    'control',
    'server',
    'index serve worker',
  ],
  'packages/edge-proxy': [
    'http telemetry',
    'objects',
    'properties',
    'records upstream',
    'ledger',
    'money sessions',
    'runtime',
    'worker worker-moto index moto',
    'worker-clock worker-launched',
  ],
  'packages/widgets': [
    'styles',
    'localization',
    'state',
    'events misuse',
    'controllers',
    'views',
    'base',
    'elements',
    'define-all index',
  ],
  'packages/react': ['index'],
  'packages/desk': [
    'styles',
    'values',
    'localization',
    'client',
    'controllers',
    'views',
    'base',
    'elements',
    'page',
    'define-all index',
    'page-script',
  ],
  'packages/cli': [
    'failures process',
    'terminal',
    'input',
    'property',
    'context',
    'checks',
    'dev',
    'commands',
    'program',
    'main',
  ],
  'packages/create-innkeep': ['templates', 'create-project', 'command-line'],
  'apps/demo': ['booking clock files', 'wire-panel', 'payments room-lookup', 'pages', 'routes', 'app', 'serve'],
};

/** Parts of core that run in a guest's browser. They import each other and nothing else of core. */
const SECRET_FREE = 'errors|values|polling|checkout';

/** Modules of others that belong to one place of a package; `only` is below its src, tests are free. */
const RESTRICTED = [
  { module: '@rgrove/parse-xml', package: 'packages/core', only: 'gateway/' },
  { module: 'ky', package: 'packages/core', only: 'transport/exchange\\.ts' },
  { module: '@clack/prompts', package: 'packages/cli', only: 'terminal/' },
  { module: 'commander', package: 'packages/cli', only: 'commands/|program/' },
  { module: 'node:', package: 'packages/(core|desk|widgets)' },
  // The launcher runs on Node, and its tests see that no Worker has it.
  { module: 'node:', package: 'packages/edge-proxy', only: 'runtime/serve-' },
  { module: 'cloudflare:', package: 'packages/edge-proxy', only: '(objects/placed-object|runtime/worker-app)\\.ts' },
  { module: '@opentelemetry/', package: 'packages/edge-proxy', only: 'telemetry/' },
  // Browsers get types only.
  { module: 'valibot', package: 'packages/core', within: `(${SECRET_FREE})` },
];

// The classes of the Durable Objects. The stub of one has the type of its class, so whoever calls one imports the type.
const OBJECTS = '^packages/edge-proxy/src/(sessions|money|ledger|upstream|properties)/[^/]+-object\\.ts$';

// Every layer of core may have the types of what crosses HTTP, and none the schemas: they are for the proxy and the command line.
const CONTRACT = '^packages/core/src/contract/';

const TESTS = '\\.test(-d)?\\.tsx?$|/test(-support)?/';

// What a failure says is the comment of the first rule of its name.
const rule = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to });
const layer = (folder, names) => `^${folder}/src/(${names.join('|')})(/|\\.ts$)`;

const betweenPackages = Object.entries(ARROWS).map(([folder, allowed]) => {
  const own = `@innkeep/${folder.split('/')[1]}`;
  return rule(
    `arrows of ${folder}`,
    `It may import ${allowed.join(', ') || 'no workspace package'}.`,
    { path: `^${folder}/` },
    // Tests may name their own package, the way its users do.
    { path: '^@innkeep/', pathNot: [...allowed, own].map((name) => `^${name}(/|$)`) },
  );
});

const betweenLayers = Object.entries(LAYERS).flatMap(([folder, rows]) => {
  const layers = rows.map((row) => row.split(' '));
  const all = layers.flat();
  const unknown = { path: `^${folder}/src/`, pathNot: [layer(folder, all), TESTS] };
  return [
    ...layers.flatMap((names, index) =>
      names.map((name) => {
        const forbidden = layers
          .slice(index)
          .flat()
          .filter((other) => other !== name);
        return rule(
          `layers of ${folder}: ${name}`,
          `${name} stands below or beside it. Move the code, or change the layout in .dependency-cruiser.mjs.`,
          { path: layer(folder, [name]), pathNot: TESTS },
          { path: layer(folder, forbidden), pathNot: CONTRACT },
        );
      }),
    ),
    rule('layer without a place', 'Give it a row in .dependency-cruiser.mjs: what does it stand on?', unknown, {}),
    rule('layer without a place', 'Give it a row in .dependency-cruiser.mjs: what does it stand on?', {}, unknown),
  ];
});

const restricted = RESTRICTED.map(({ module, package: folder, within = '', only }) =>
  rule(
    `${module} in its place of ${folder}`,
    `${folder} has it only in ${only ?? 'tests'}.`,
    { path: `^${folder}/src/${within}`, pathNot: [TESTS, ...(only === undefined ? [] : [`^${folder}/src/(${only})`])] },
    { path: `^${module}|/node_modules/${module}/` },
  ),
);

export default {
  forbidden: [
    rule('no cycles', 'Imports of types count.', {}, { circular: true }),
    ...betweenPackages,
    ...betweenLayers,
    ...restricted,
    rule(
      'core in the browser',
      `Of core, ${SECRET_FREE} run in browsers: they import nothing that may hold a secret.`,
      { path: `^packages/core/src/(${SECRET_FREE})(/|\\.ts$)`, pathNot: TESTS },
      { path: '^packages/core/src/', pathNot: [`^packages/core/src/(${SECRET_FREE})(/|\\.ts$)`, CONTRACT] },
    ),
    rule(
      'contract by its types',
      'In core, only types of the contract are used: a schema library has no place in a client.',
      { path: '^packages/core/src/', pathNot: [TESTS, CONTRACT] },
      { path: CONTRACT, dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'objects by their types',
      'Only the worker runs their code: call an object through its stub.',
      { path: '^packages/edge-proxy/src/', pathNot: [TESTS, OBJECTS, '/(worker[^/]*|index|moto)\\.ts$'] },
      { path: OBJECTS, dependencyTypesNot: ['type-only'] },
    ),
    rule('no tests in what ships', '', { path: '/src/', pathNot: TESTS }, { path: [TESTS, '^tests/'] }),
    rule('nothing imports tests', '', { pathNot: '^tests/' }, { path: '^tests/' }),
    rule(
      'packages by their names',
      'Leave a package by its name, not by a path.',
      { path: '^((?:packages|apps)/[^/]+)/' },
      { path: '^(packages|apps)/', pathNot: '^$1/' },
    ),
    rule('no scripts in what ships', '', { path: '/src/', pathNot: TESTS }, { path: '^scripts/' }),
    rule(
      'sources by their names',
      'Tests and scripts use what a package exports.',
      { path: '^(scripts|tests)/' },
      { path: '^(packages|apps)/[^/]+/src/' },
    ),
    rule(
      'no entry point from inside',
      'Import the file that owns the name.',
      { path: '^(packages/[^/]+)/src/', pathNot: ['/index\\.ts$', TESTS] },
      { path: '^$1/src/.*index\\.ts$' },
    ),
    rule(
      'elements apart',
      'Elements share controllers, not each other.',
      { path: '^packages/widgets/src/elements/([^/]+)/', pathNot: TESTS },
      { path: '^packages/widgets/src/elements/[^/]+/', pathNot: '^packages/widgets/src/elements/$1/' },
    ),
    rule(
      'no registration by import',
      'Importing a class must not register it.',
      { path: '^packages/(widgets|desk)/src/', pathNot: ['/define(-all)?\\.ts$', TESTS] },
      { path: '/define\\.ts$' },
    ),
  ],
  options: {
    // Types are imports, too.
    tsPreCompilationDeps: true,
    // Templates are sites of others.
    exclude: '(^|/)(dist|node_modules|\\.[^/]+)/|^packages/create-innkeep/templates/|\\.d\\.ts$',
    // Other packages stay the names they are imported by, so that nothing has to be built.
    enhancedResolveOptions: { exportsFields: [], mainFields: ['none'], mainFiles: ['none'] },
  },
};
