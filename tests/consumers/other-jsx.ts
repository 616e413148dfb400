import { type FrameworkPage, tsconfig } from './project.ts';

function typings(name: string, jsx: object, properties: string): FrameworkPage {
  return {
    name,
    files: {
      'tsconfig.json': tsconfig({ ...jsx, lib: ['es2023', 'dom', 'dom.iterable'] }),
      'page.tsx': `
import '@innkeep/widgets/types/${name}';

export const right = (
  <pay-widget endpoint="https://pay.hotel.example" client-secret="cs_…" theme="dark" id="pay" ${properties}>
    <a href="/pay-link">Pay by link</a>
  </pay-widget>
);

// @ts-expect-error: a theme that there is not
export const wrong = <pay-widget theme="pink" />;
`,
    },
    typeCheck: ['tsc', '-p', name],
  };
}

const done = '({ detail }) => console.log(detail.checkout?.id)';

/** The typings of Preact and of Solid, which need no page of their own: both are checked, neither is run. */
export const otherJsx: readonly FrameworkPage[] = [
  typings('preact', { jsx: 'react-jsx', jsxImportSource: 'preact' }, `onpay-completed={${done}}`),
  typings(
    'solid',
    { jsx: 'preserve', jsxImportSource: 'solid-js' },
    `prop:getClientSecret={async () => 'cs_…'} on:pay-completed={${done}}`,
  ),
];
