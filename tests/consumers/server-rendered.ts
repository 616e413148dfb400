/** Sites that render on a server and come alive in the browser. Each has a page that pays, and one with every other outcome. */
import { ENGINES, type EngineName, RECORDER } from '../support/engines.ts';
import { tsconfig } from './project.ts';

/** A site, and how it is built and started in the folder of its project. */
export interface ServerRenderedSite {
  readonly name: string;
  /** Its project; two sites may be of one. */
  readonly project: string;
  readonly start: (port: number) => readonly string[];
  readonly engines: readonly EngineName[];
}

/** What a site is told by its environment. */
export interface SiteEnvironment {
  readonly SITE_URL: string;
  readonly ENDPOINT: string;
  readonly SECRET_KEY: string;
  /** Client secrets by the id of the element that shows them. */
  readonly SESSIONS: string;
}

export const SITES: readonly ServerRenderedSite[] = [
  { name: 'React 18 with Vite', project: 'react-18', start: () => ['node', 'server.mjs'], engines: ['Chromium'] },
  { name: 'React 19, plain JSX', project: 'react-19', start: () => ['node', 'server.mjs'], engines: ENGINES },
  {
    name: 'Next.js',
    project: 'next',
    start: (port) => ['next', 'start', '--hostname', '127.0.0.1', '--port', `${port}`],
    engines: ['Chromium'],
  },
  {
    name: 'Next.js, in development',
    project: 'next',
    start: (port) => ['next', 'dev', '--hostname', '127.0.0.1', '--port', `${port}`],
    engines: ['Chromium'],
  },
];

/** What React 18 writes to attributes, where nothing looks for it. */
const REFUSED = `
import '@innkeep/widgets/types/react';

export const right = <pay-widget endpoint="https://pay.hotel.example" client-secret="cs_…" theme="dark" />;
// @ts-expect-error: a function
export const withFunction = <pay-widget getClientSecret={async () => 'cs_…'} />;
// @ts-expect-error: an event
export const withListener = <pay-widget onpay-completed={() => undefined} />;
// @ts-expect-error: a property that is not an attribute
export const withProperty = <pay-widget clientSecret="cs_…" />;
`;

/** Client and server bundle; React in its development build, which is the one that warns. */
const VITE_BUILDS = [
  ['tsc', '-p', '.'],
  ['vite', 'build', '--mode', 'development', '--logLevel', 'warn'],
  [
    'vite',
    'build',
    '--mode',
    'development',
    '--logLevel',
    'warn',
    '--ssr',
    'src/server.tsx',
    '--outDir',
    'dist/server',
  ],
] as const;

/** What builds each project, in order. */
export const BUILDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'react-18': VITE_BUILDS,
  'react-19': VITE_BUILDS,
  next: [['next', 'build']],
};

/** Every event that reaches the page, kept across the way to the hosted page and back. */
const RECORD = `
export const EVENTS = [
  'pay-ready', 'pay-beforeopen', 'pay-statechange', 'pay-completed', 'pay-failed', 'pay-canceled', 'pay-expired', 'pay-unknown', 'pay-error',
] as const;

export function record({ type, target }: Event): void {
  const seen: string[] = JSON.parse(sessionStorage.getItem('seen') ?? '[]');
  sessionStorage.setItem('seen', JSON.stringify([...seen, \`\${(target as Element).id} \${type}\`]));
}

export async function getClientSecret(): Promise<string> {
  const response = await fetch('/checkout', { method: 'POST' });
  if (!response.ok) throw new Error(\`The server answered \${response.status}\`);
  return (await response.json()).clientSecret;
}

export const refuse = (): Promise<string> => Promise.reject(new Error('The server is down.'));
`;

/** With `@innkeep/react`, the same in React 18 and in Next.js. */
const COMPONENTS = `
'use client';
import { PayWidget } from '@innkeep/react';
import { getClientSecret, record, refuse } from './record';

const listeners = {
  onPayReady: record, onPayBeforeOpen: record, onPayStateChange: record, onPayCompleted: record, onPayFailed: record,
  onPayCanceled: record, onPayExpired: record, onPayUnknown: record, onPayError: record,
};

export const Booking = ({ endpoint }: { endpoint: string }) => (
  <PayWidget id="lazy" className="wide" endpoint={endpoint} getClientSecret={getClientSecret} locale="en" {...listeners}>
    <span slot="label">Pay the deposit</span>
    <a href="/pay-link">Pay by link</a>
  </PayWidget>
);

export const Outcomes = ({ endpoint, secrets }: { endpoint: string; secrets: Record<string, string> }) => (
  <>
    {Object.entries(secrets).map(([id, secret]) => (
      <PayWidget key={id} id={id} endpoint={endpoint} clientSecret={secret} locale="en" {...listeners} />
    ))}
    <PayWidget id="broken" endpoint={endpoint} getClientSecret={refuse} locale="en" {...listeners} />
  </>
);
`;

/** The bare tags. React 19 attaches no function to what a server rendered, so an effect does, and then lets the element begin. */
const PLAIN_COMPONENTS = `
import '@innkeep/widgets/define';
import '@innkeep/widgets/types/react';
import type { PayWidget } from '@innkeep/widgets';
import { useEffect, useRef } from 'react';
import { EVENTS, getClientSecret, record, refuse } from './record';

function usePayWidget(getClientSecret?: () => Promise<string>) {
  const ref = useRef<PayWidget>(null);
  useEffect(() => {
    const widget = ref.current;
    if (!widget) return;
    widget.getClientSecret = getClientSecret;
    for (const type of EVENTS) widget.addEventListener(type, record);
    widget.removeAttribute('defer-hydration');
    return () => {
      for (const type of EVENTS) widget.removeEventListener(type, record);
    };
  }, [getClientSecret]);
  return ref;
}

export const Booking = ({ endpoint }: { endpoint: string }) => (
  <pay-widget defer-hydration="" id="lazy" className="wide" endpoint={endpoint} locale="en" ref={usePayWidget(getClientSecret)}>
    <span slot="label">Pay the deposit</span>
    <a href="/pay-link">Pay by link</a>
  </pay-widget>
);

const Outcome = ({ id, endpoint, secret }: { id: string; endpoint: string; secret: string }) => (
  <pay-widget defer-hydration="" id={id} endpoint={endpoint} client-secret={secret} locale="en" ref={usePayWidget()} />
);

export const Outcomes = ({ endpoint, secrets }: { endpoint: string; secrets: Record<string, string> }) => (
  <>
    {Object.entries(secrets).map(([id, secret]) => <Outcome key={id} id={id} endpoint={endpoint} secret={secret} />)}
    <pay-widget defer-hydration="" id="broken" endpoint={endpoint} locale="en" ref={usePayWidget(refuse)} />
  </>
);
`;

const PAGE = `
import { StrictMode } from 'react';
import { Booking, Outcomes } from './components';

export interface PageProps {
  path: string;
  endpoint: string;
  secrets: Record<string, string>;
}

export const Page = ({ path, endpoint, secrets }: PageProps) => (
  <StrictMode>
    {path === '/outcomes' ? <Outcomes endpoint={endpoint} secrets={secrets} /> : <Booking endpoint={endpoint} />}
  </StrictMode>
);
`;

/** The server of a Vite site: the page, its bundle, and new sessions. */
const SERVER = `
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { createMerchantClient } from '@innkeep/core/merchant';
import { render } from './dist/server/server.js';

const { SITE_URL, ENDPOINT, SECRET_KEY, SESSIONS } = process.env;
const merchant = createMerchantClient({ endpoint: ENDPOINT, secretKey: SECRET_KEY });

function documentOf(path) {
  const props = { path, endpoint: ENDPOINT, secrets: JSON.parse(SESSIONS) };
  return \`<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Booking</title><link rel="icon" href="data:,"><script>\${RECORDER}</script></head>
  <body>
    <div id="root">\${render(props)}</div>
    <script type="application/json" id="props">\${JSON.stringify(props)}</script>
    <script type="module" src="/assets/client.js"></script>
  </body>
</html>\`;
}

const RECORDER = ${JSON.stringify(RECORDER)};

createServer(async (request, response) => {
  const { pathname } = new URL(request.url, SITE_URL);
  if (pathname === '/checkout') {
    const amount = { value: 12_000, currency: 'EUR' };
    const session = await merchant.checkoutSessions.create({ kind: 'payment', amount, reference: 'RES-1234', returnUrl: SITE_URL + '/' });
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end(JSON.stringify({ clientSecret: session.clientSecret }));
  } else if (pathname.startsWith('/assets/')) {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync('dist' + pathname));
  } else {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(documentOf(pathname));
  }
}).listen(Number(new URL(SITE_URL).port), '127.0.0.1');
`;

function viteSite(components: string, client: string, render: string): Readonly<Record<string, string>> {
  return {
    'tsconfig.json': tsconfig({ jsx: 'react-jsx', types: ['node'], skipLibCheck: true, resolveJsonModule: true }, [
      'src',
    ]),
    'vite.config.mjs': `
const client = { minify: false, rolldownOptions: { input: 'src/client.tsx', output: { entryFileNames: 'assets/client.js' } } };

export default ({ isSsrBuild }) => ({ build: isSsrBuild ? {} : client });
`,
    'src/record.ts': RECORD,
    'src/components.tsx': components,
    'src/page.tsx': PAGE,
    'src/client.tsx': client,
    'src/server.tsx': render,
    'server.mjs': SERVER,
  };
}

const RENDER = `
import { renderToString } from 'react-dom/server';
import { Page, type PageProps } from './page';

export const render = (props: PageProps): string => renderToString(<Page {...props} />);
`;

const HYDRATE = `
import { hydrateRoot } from 'react-dom/client';
import { Page, type PageProps } from './page';

const root = document.getElementById('root');
const props: PageProps = JSON.parse(document.getElementById('props')?.textContent ?? '');
if (root) hydrateRoot(root, <Page {...props} />);
`;

/** React comes late to the page, by way of a part that it has to wait for: by then the elements are defined. */
const HYDRATE_LATE = `
import { lazy, Suspense } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { Page, type PageProps } from './page';

const root = document.getElementById('root') as HTMLElement;
const props: PageProps = JSON.parse(document.getElementById('props')?.textContent ?? '');
const rendered = root.innerHTML;

const Late = lazy(async () => {
  await new Promise((resolve) => requestAnimationFrame(resolve));
  if (root.innerHTML !== rendered) console.error('Before React came, the page had become', root.innerHTML);
  return { default: Page };
});
hydrateRoot(root, <Suspense><Late {...props} /></Suspense>);
`;

const RENDER_IN_SUSPENSE = RENDER.replace(`import { Page`, `import { Suspense } from 'react';\nimport { Page`).replace(
  `<Page {...props} />`,
  `<Suspense><Page {...props} /></Suspense>`,
);

/** Text by path, of each project. */
export const FILES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'react-18': { ...viteSite(COMPONENTS, HYDRATE, RENDER), 'src/refused.tsx': REFUSED },
  'react-19': viteSite(PLAIN_COMPONENTS, HYDRATE_LATE, RENDER_IN_SUSPENSE),
  next: {
    'next.config.mjs': `export default { devIndicators: false, turbopack: { root: import.meta.dirname + '/../..' } };\n`,
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        ...JSON.parse(tsconfig()).compilerOptions,
        ...{ jsx: 'react-jsx', types: ['node'], skipLibCheck: true, verbatimModuleSyntax: false, allowJs: true },
        ...{ esModuleInterop: true, isolatedModules: true, resolveJsonModule: true, plugins: [{ name: 'next' }] },
      },
      include: ['next-env.d.ts', 'app'],
      exclude: ['node_modules'],
    }),
    'app/record.ts': RECORD,
    'app/components.tsx': COMPONENTS.trimStart(),
    'app/layout.tsx': `
import type { ReactNode } from 'react';

export const metadata = { title: 'Booking', icons: 'data:,' };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head><script dangerouslySetInnerHTML={{ __html: ${JSON.stringify(RECORDER)} }} /></head>
      <body>{children}</body>
    </html>
  );
}
`,
    'app/page.tsx': `
import { Booking } from './components';

export const dynamic = 'force-dynamic';

export default function Page() {
  return <Booking endpoint={process.env.ENDPOINT ?? ''} />;
}
`,
    'app/outcomes/page.tsx': `
import { Outcomes } from '../components';

export const dynamic = 'force-dynamic';

export default function Page() {
  return <Outcomes endpoint={process.env.ENDPOINT ?? ''} secrets={JSON.parse(process.env.SESSIONS ?? '{}')} />;
}
`,
    // Importing the elements must be safe on the server, too.
    'app/plain/page.tsx': `
'use client';
import '@innkeep/widgets/define';
import '@innkeep/widgets/types/react';

export default function Page() {
  return <pay-widget defer-hydration="" id="plain" locale="en"><a href="/pay-link">Pay by link</a></pay-widget>;
}
`,
    'app/checkout/route.ts': `
import { createMerchantClient } from '@innkeep/core/merchant';

export async function POST(): Promise<Response> {
  const { SITE_URL, ENDPOINT = '', SECRET_KEY = '' } = process.env;
  const merchant = createMerchantClient({ endpoint: ENDPOINT, secretKey: SECRET_KEY });
  const amount = { value: 12_000, currency: 'EUR' };
  const session = await merchant.checkoutSessions.create({ kind: 'payment', amount, reference: 'RES-1234', returnUrl: SITE_URL + '/' });
  return Response.json({ clientSecret: session.clientSecret }, { headers: { 'cache-control': 'no-store' } });
}
`,
  },
};
