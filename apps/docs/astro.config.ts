import { readFileSync } from 'node:fs';
import { satteri } from '@astrojs/markdown-satteri';
import starlight from '@astrojs/starlight';
import type { StarlightUserConfig } from '@astrojs/starlight/types';
import { defineConfig, passthroughImageService } from 'astro/config';
import { SITE_BASE } from './src/addresses.ts';
import { STAGED } from './src/stage.ts';

// The file is our own staging script's.
const sidebar = JSON.parse(readFileSync(`${STAGED}/sidebar.json`, 'utf8')) as NonNullable<
  StarlightUserConfig['sidebar']
>;

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
      components: {
        MarkdownContent: './site/components/MarkdownContent.astro',
        PageTitle: './site/components/PageTitle.astro',
      },
      routeMiddleware: './site/route-data.ts',
      sidebar,
      // No window frames: most blocks are a few lines, and the copy button is what people look for.
      expressiveCode: { defaultProps: { frame: 'none' }, styleOverrides: { borderRadius: '10px' } },
      credits: false,
      lastUpdated: false,
    }),
  ],
});
