import { FROM_ADDRESS, type FrameworkPage, indexHtml, tsconfig } from './project.ts';

/** React 19 in strict mode, which mounts everything twice. */
export const react: FrameworkPage = {
  name: 'react',
  files: {
    'index.html': indexHtml('./main.tsx'),
    'address.ts': FROM_ADDRESS,
    'tsconfig.json': tsconfig({ jsx: 'react-jsx', skipLibCheck: true }),
    'main.tsx': `
import '@innkeep/widgets/define';
import '@innkeep/widgets/types/react';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { clientSecret, endpoint } from './address';

function Booking() {
  const [paid, setPaid] = useState('');
  return (
    <>
      <pay-widget
        endpoint={endpoint}
        client-secret={clientSecret}
        locale="en"
        onpay-completed={({ detail }) => setPaid(detail.checkout?.id ?? '')}
      >
        <a href="/pay-link">Pay by link</a>
      </pay-widget>
      <p id="paid">{paid}</p>
    </>
  );
}

// @ts-expect-error: a theme that there is not
export const wrong = <pay-widget theme="pink" />;

const root = document.getElementById('app');
if (root) createRoot(root).render(<StrictMode><Booking /></StrictMode>);
`,
  },
  typeCheck: ['tsc', '-p', 'react'],
};
