import { errorsPage } from './errors-page.ts';

/** A page: a file of the repository, its address below the base without slashes at its ends, and what the side bar calls it. */
export interface Page {
  readonly file: string;
  readonly path: string;
  /** @default the page's title */
  readonly label?: string | undefined;
  /** Makes the Markdown where the file is a program. */
  readonly make?: () => string;
}

/** A group of the side bar. */
export interface Section {
  readonly label: string;
  readonly collapsed?: boolean;
  readonly pages: readonly Page[];
}

/** Every page that is written by hand, in the order of the side bar. The pages of the reference that are made from source follow. */
export const SECTIONS: readonly Section[] = [
  {
    label: 'Start here',
    pages: [
      page('docs/README.md', '', 'What Innkeep is'),
      page('apps/demo/README.md', 'demo'),
      page('ARCHITECTURE.md', 'architecture'),
    ],
  },
  {
    label: 'Quick starts',
    pages: [
      page('docs/quick-starts/plain-html.md', 'quick-starts/plain-html', 'Plain HTML'),
      page('docs/quick-starts/react.md', 'quick-starts/react', 'React'),
      page('docs/quick-starts/next-js.md', 'quick-starts/next-js', 'Next.js'),
      page('docs/quick-starts/vue.md', 'quick-starts/vue', 'Vue'),
      page('docs/quick-starts/server-page-php.md', 'quick-starts/server-page-php', 'Server page in PHP'),
      page('docs/quick-starts/worker.md', 'quick-starts/worker', 'Cloudflare Worker'),
      page('docs/quick-starts/deno.md', 'quick-starts/deno', 'Deno'),
      page('docs/quick-starts/first-payment.md', 'quick-starts/first-payment', 'Your first test payment'),
    ],
  },
  {
    label: 'Concepts',
    pages: folder(
      'concepts',
      'trust-boundary keys-and-scopes payment-states money-and-units surcharges pci-scope limits cost',
    ),
  },
  {
    label: 'Guides',
    pages: [
      ...folder(
        'guides',
        'local-development go-live deploy-the-proxy cloudflare-releases self-hosting operate many-hotels platform-keys observe on-call rotate-keys privacy auditors testing-with-the-sandbox webhooks',
      ),
      ...folder(
        'guides',
        'http php wordpress reconcile charges-and-reversals no-show desk reception pay-by-link kiosk keyed-in-cards content-security-policy',
      ),
      ...folder('guides', 'theming translations'),
    ],
  },
  {
    label: 'Elements',
    pages: ['pay-widget', 'save-card-widget', 'payment-status'].map((tag) =>
      page(`packages/widgets/src/elements/${tag}/README.md`, `packages/${tag}`),
    ),
  },
  {
    label: 'Reference',
    pages: [
      { file: 'apps/docs/src/errors-page.ts', path: 'reference/errors', make: errorsPage },
      page('packages/cli/README.md', 'packages/cli', 'Command line'),
      page('packages/edge-proxy/docs/session-states.md', 'packages/session-states'),
      page('packages/sandbox/MAGIC.md', 'packages/magic-inputs'),
      page('packages/sandbox/FIDELITY.md', 'packages/fidelity'),
      page('packages/edge-proxy/STORAGE.md', 'packages/storage'),
    ],
  },
  {
    label: 'Packages',
    collapsed: true,
    pages: ['core', 'widgets', 'react', 'desk', 'edge-proxy', 'sandbox', 'create-innkeep'].map((name) =>
      page(`packages/${name}/README.md`, `packages/${name}`),
    ),
  },
  {
    label: 'Payment service notes',
    collapsed: true,
    pages: [
      page('docs/upstream/README.md', 'upstream', 'Overview'),
      ...folder('upstream', 'outcomes login initpay-no-iframe init-create-token-no-iframe paystatus transaction pay'),
      ...folder('upstream', 'reversal create-token gateway'),
    ],
  },
  { label: 'Decisions', collapsed: true, pages: [page('docs/decisions/README.md', 'decisions', 'Overview')] },
  {
    label: 'Project',
    pages: [
      page('docs/glossary.md', 'glossary'),
      page('CONTRIBUTING.md', 'contributing'),
      page('SECURITY.md', 'security'),
    ],
  },
];

function page(file: string, path: string, label?: string): Page {
  return { file, path, label };
}

/** Pages of a folder of `docs/`, by name. */
function folder(name: string, files: string): readonly Page[] {
  return files.split(' ').map((file) => page(`docs/${name}/${file}.md`, `${name}/${file}`));
}
