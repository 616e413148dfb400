import { FROM_ADDRESS, type FrameworkPage } from './project.ts';

/** Next.js: the page is rendered on the server, exported, and comes alive in the browser. */
export const next: FrameworkPage = {
  name: 'next',
  files: {
    'next.config.mjs': `export default { output: 'export', basePath: '/next', turbopack: { root: import.meta.dirname + '/../..' } };\n`,
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        target: 'es2022',
        module: 'esnext',
        moduleResolution: 'bundler',
        lib: ['es2023', 'dom', 'dom.iterable'],
        jsx: 'react-jsx',
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        incremental: false,
        isolatedModules: true,
        esModuleInterop: true,
        resolveJsonModule: true,
        allowJs: true,
        plugins: [{ name: 'next' }],
      },
      include: ['next-env.d.ts', '**/*.ts', '**/*.tsx', '.next/types/**/*.ts'],
      exclude: ['node_modules'],
    }),
    'app/layout.tsx': `
import type { ReactNode } from 'react';

export default function Layout({ children }: { children: ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}
`,
    'app/page.tsx': `
import { Booking } from './booking';

export default function Page() {
  return <Booking />;
}
`,
    'app/address.ts': FROM_ADDRESS,
    'app/booking.tsx': `
'use client';
// On the server too: importing the elements there must be safe.
import '@innkeep/widgets/define';
import '@innkeep/widgets/types/react';
import { useEffect, useState } from 'react';
import { clientSecret, endpoint } from './address';

export function Booking() {
  const [paid, setPaid] = useState('');
  const [session, setSession] = useState<{ endpoint?: string | undefined; secret?: string | undefined }>({});
  // The address is known in the browser only; a real page would get the secret from its server.
  useEffect(() => setSession({ endpoint, secret: clientSecret }), []);
  return (
    <>
      <pay-widget
        endpoint={session.endpoint}
        client-secret={session.secret}
        locale="en"
        onpay-completed={({ detail }) => setPaid(detail.checkout?.id ?? '')}
      >
        <a href="/pay-link">Pay by link</a>
      </pay-widget>
      <p id="paid">{paid}</p>
    </>
  );
}
`,
  },
  build: ['next', 'build', 'next'],
};
