/** A part of the side bar: the files it shows, in order. A file of the repository without a place here is no page. */
export interface Section {
  readonly label: string;
  /** Where its pages are: the folder of their addresses. Empty for the top. */
  readonly path: string;
  /** Files from the repository's root, in reading order, with a shorter label or another address where the file's own does not do. */
  readonly files: readonly (string | PageFile)[];
  /** A folder whose other files follow in the order of their names. */
  readonly rest?: string;
  /** Reference pages made from source follow. */
  readonly generated?: boolean;
  /** Folders of addresses that are groups of their own, with what they are called. Pages in no group come first. */
  readonly groups?: Readonly<Record<string, string>>;
  /** Closed until a reader opens it, or is on one of its pages. */
  readonly collapsed?: boolean;
}

/** A page with an address or a label that its file name and title do not give. */
export interface PageFile {
  readonly file: string;
  /** Last part of the address. @default the file name, without extension */
  readonly slug?: string;
  /** What the side bar calls it. @default the page's title */
  readonly label?: string;
}

/** The whole site, in the order of the side bar. */
export const SECTIONS: readonly Section[] = [
  {
    label: 'Start here',
    path: '',
    files: [
      { file: 'docs/README.md', slug: 'index', label: 'What Innkeep is' },
      { file: 'apps/demo/README.md', slug: 'demo' },
      { file: 'ARCHITECTURE.md', slug: 'architecture' },
    ],
  },
  {
    label: 'Quick starts',
    path: 'quick-starts',
    files: [
      { file: 'docs/quick-starts/plain-html.md', label: 'Plain HTML' },
      { file: 'docs/quick-starts/react.md', label: 'React' },
      { file: 'docs/quick-starts/next-js.md', label: 'Next.js' },
      { file: 'docs/quick-starts/vue.md', label: 'Vue' },
      { file: 'docs/quick-starts/server-page-php.md', label: 'Server page in PHP' },
      { file: 'docs/quick-starts/worker.md', label: 'Cloudflare Worker' },
      { file: 'docs/quick-starts/deno.md', label: 'Deno' },
    ],
  },
  {
    label: 'Concepts',
    path: 'concepts',
    files: inFolder('docs/concepts', 'trust-boundary payment-states money-and-units surcharges pci-scope'),
  },
  {
    label: 'Guides',
    path: 'guides',
    files: inFolder(
      'docs/guides',
      'go-live deploy-the-proxy self-hosting rotate-keys testing-with-the-sandbox webhooks reconcile charges-and-reversals',
      'no-show pay-by-link kiosk keyed-in-cards content-security-policy theming translations',
    ),
  },
  {
    label: 'Reference',
    path: 'reference',
    files: [],
    generated: true,
    groups: {
      'reference/http': 'HTTP API',
      'reference/elements': 'Elements',
      'reference/core': '@innkeep/core',
      'reference/widgets': '@innkeep/widgets',
      'reference/edge-proxy': '@innkeep/edge-proxy',
      'reference/sandbox': '@innkeep/sandbox',
    },
  },
  {
    label: 'Packages',
    path: 'packages',
    collapsed: true,
    files: [
      ...['core', 'widgets', 'edge-proxy', 'cli', 'sandbox'].map((name) => ({
        file: `packages/${name}/README.md`,
        slug: name,
      })),
      ...['pay-widget', 'save-card-widget', 'payment-status'].map((name) => ({
        file: `packages/widgets/src/elements/${name}/README.md`,
        slug: name,
      })),
      { file: 'packages/edge-proxy/docs/session-states.md' },
      { file: 'packages/edge-proxy/STORAGE.md', slug: 'storage' },
      { file: 'packages/sandbox/MAGIC.md', slug: 'magic-inputs' },
      { file: 'packages/sandbox/FIDELITY.md', slug: 'fidelity' },
    ],
  },
  {
    label: 'Payment service notes',
    path: 'upstream',
    collapsed: true,
    files: [
      { file: 'docs/upstream/README.md', slug: 'index', label: 'Overview' },
      ...inFolder(
        'docs/upstream',
        'outcomes login initpay-no-iframe init-create-token-no-iframe paystatus transaction pay reversal create-token gateway',
      ),
    ],
    rest: 'docs/upstream',
  },
  {
    label: 'Decisions',
    path: 'decisions',
    collapsed: true,
    files: [{ file: 'docs/decisions/README.md', slug: 'index', label: 'Overview' }],
    rest: 'docs/decisions',
  },
  {
    label: 'Project',
    path: '',
    files: [
      'docs/glossary.md',
      { file: 'CONTRIBUTING.md', slug: 'contributing' },
      { file: 'SECURITY.md', slug: 'security' },
    ],
  },
];

function inFolder(folder: string, ...names: readonly string[]): readonly string[] {
  return names.flatMap((line) => line.split(' ')).map((name) => `${folder}/${name}.md`);
}
