// JavaScript, since the plugins ship their sources in TypeScript, which our settings of the compiler would refuse.
import { satteri } from '@astrojs/markdown-satteri';
import starlight from '@astrojs/starlight';
import { defineConfig, passthroughImageService } from 'astro/config';
import { defineHastPlugin } from 'satteri';
import starlightLinksValidator from 'starlight-links-validator';
import starlightOpenAPI, { createOpenAPISidebarGroup } from 'starlight-openapi';
import starlightTypeDoc from 'starlight-typedoc';
import { SECTIONS } from './src/page-table.ts';
import { BASE, decisions, stage } from './src/stage.ts';
import { strictPolicy } from './src/strict-policy.ts';
import { modules } from './typedoc.config.mjs';

stage();

const http = createOpenAPISidebarGroup();
const snippets = { operation: { clients: { shell: ['curl'] } }, requestBody: true, response: true };

/** The modules that TypeDoc describes. Its plugin knows a menu only for one page per name, not for one per module. */
const packages = {
  label: 'Package API',
  collapsed: true,
  items: [
    { label: 'Overview', link: '/reference/' },
    ...[...modules.values()].map((name) => ({ label: name, link: `/reference/${name.replace('@', '')}/` })),
  ],
};

/** No window frames: most blocks are a few lines. The plugin of the HTTP reference overwrites what is set below the plugins. */
const codeBlocks = {
  name: 'code-blocks',
  hooks: {
    'config:setup': ({ updateConfig }) =>
      updateConfig({
        expressiveCode: {
          defaultProps: { frame: 'none' },
          styleOverrides: { borderRadius: '10px' },
          shiki: { langAlias: { env: 'dotenv' } },
        },
      }),
  },
};

/** Lets a wide table scroll in a frame of its own, and makes the box of a check list what it is: a picture. */
const accessibleTables = defineHastPlugin({
  name: 'accessible-tables',
  element: {
    filter: ['table', 'input'],
    visit(node, context) {
      if (node.tagName === 'input') context.setProperty(node, 'ariaHidden', 'true');
      else
        context.wrapNode(node, {
          type: 'element',
          tagName: 'div',
          properties: { className: ['table-frame'] },
          children: [],
        });
    },
  },
});

export default defineConfig({
  base: BASE,
  srcDir: './site',
  publicDir: './site/public',
  trailingSlash: 'always',
  image: { service: passthroughImageService() },
  markdown: { processor: satteri({ features: { smartPunctuation: false }, hastPlugins: [accessibleTables] }) },
  vite: { build: { assetsInlineLimit: 0 } },
  integrations: [
    starlight({
      title: 'Innkeep',
      favicon: '/icon.svg',
      logo: { src: './site/icon.svg', alt: '' },
      customCss: ['./site/styles/theme.css'],
      components: {
        MarkdownContent: './site/components/MarkdownContent.astro',
        PageTitle: './site/components/PageTitle.astro',
      },
      plugins: [
        starlightTypeDoc({ output: 'reference' }),
        starlightOpenAPI([
          {
            base: 'reference/http',
            schema: './site/public/openapi.json',
            sidebar: { label: 'HTTP API', group: http },
            snippets,
          },
        ]),
        starlightLinksValidator({ errorOnLocalLinks: false }),
        codeBlocks,
      ],
      sidebar: SECTIONS.flatMap(({ label, collapsed = false, pages }) => [
        {
          label,
          collapsed,
          items: [...pages, ...(label === 'Decisions' ? decisions() : [])].map(({ path }) =>
            path === '' ? 'index' : path,
          ),
        },
        ...(label === 'Reference' ? [http, packages] : []),
      ]),
      credits: false,
      lastUpdated: false,
    }),
    strictPolicy(BASE),
  ],
});
