import type { FrameworkPage } from './project.ts';

/** Astro: the page is a file, and a script of it comes alive in the browser. */
export const astro: FrameworkPage = {
  name: 'astro',
  files: {
    'astro.config.mjs': `export default { base: '/astro', devToolbar: { enabled: false } };\n`,
    'tsconfig.json': JSON.stringify({ extends: 'astro/tsconfigs/strictest', include: ['.astro/types.d.ts', 'src'] }),
    'src/pages/index.astro': `
---
import type {} from '@innkeep/widgets/types/astro';
---
<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>Booking</title></head>
  <body>
    <pay-widget locale="en">
      <a href="/pay-link">Pay by link</a>
    </pay-widget>
    <p id="paid"></p>
    {/* @ts-expect-error: a theme that there is not */}
    {false && <pay-widget theme="pink" />}
    <script>
      import '@innkeep/widgets/define';

      const address = new URLSearchParams(location.search);
      const widget = document.querySelector('pay-widget');
      widget?.addEventListener('pay-completed', ({ detail }) => {
        document.getElementById('paid')?.replaceChildren(detail.checkout?.id ?? '');
      });
      if (widget && address.has('secret')) {
        widget.endpoint = address.get('endpoint') ?? undefined;
        widget.clientSecret = address.get('secret') ?? undefined;
      }
    </script>
  </body>
</html>
`,
  },
  build: ['astro', 'build', '--root', 'astro', '--silent'],
  // `astro check` ends with 0 where the checker cannot be loaded.
  typeCheck: ['astro-check', '--root', 'astro', '--tsconfig', 'astro/tsconfig.json'],
};
