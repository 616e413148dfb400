import { readFileSync } from 'node:fs';
import { satteri } from '@astrojs/markdown-satteri';
import starlight from '@astrojs/starlight';
import { defineConfig, passthroughImageService } from 'astro/config';
import { SITE_BASE } from './src/addresses.ts';
import type { SidebarGroup } from './src/sidebar.ts';
import { STAGED } from './src/stage.ts';

const sidebar = JSON.parse(readFileSync(`${STAGED}/sidebar.json`, 'utf8')) as SidebarGroup[];

export default defineConfig({
  base: SITE_BASE,
  srcDir: './site',
  publicDir: `./${STAGED}/public`,
  cacheDir: `./${STAGED}/cache`,
  trailingSlash: 'always',
  // Pictures are served as they are: nothing to compile, nothing to download.
  image: { service: passthroughImageService() },
  // Quotation marks stay as written: the page and its Markdown twin say the same.
  markdown: { processor: satteri({ features: { smartPunctuation: false } }) },
  vite: { build: { assetsInlineLimit: 0 } },
  integrations: [
    starlight({
      title: 'Innkeep',
      favicon: '/icon.svg',
      logo: { src: './site/icon.svg', alt: '' },
      customCss: ['./site/styles/theme.css'],
      components: { PageTitle: './site/components/PageTitle.astro' },
      routeMiddleware: './site/route-data.ts',
      sidebar: sidebar.map(({ items, ...group }) => ({ ...group, items: [...items] })),
      // No window frames: most blocks are a few lines, and the copy button is what people look for.
      expressiveCode: { defaultProps: { frame: 'none' }, styleOverrides: { borderRadius: '10px' } },
      credits: false,
      lastUpdated: false,
    }),
  ],
});
