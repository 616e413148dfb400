import { readFileSync } from 'node:fs';
import starlight from '@astrojs/starlight';
import { defineConfig, passthroughImageService } from 'astro/config';
import type { SidebarGroup } from './src/sidebar.ts';
import { SITE_BASE } from './src/site-base.ts';
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
  vite: { build: { assetsInlineLimit: 0 } },
  integrations: [
    starlight({
      title: 'Innkeep',
      favicon: '/icon.svg',
      logo: { src: './site/icon.svg', alt: '' },
      customCss: ['./site/styles/theme.css'],
      sidebar: sidebar.map(({ items, ...group }) => ({ ...group, items: [...items] })),
      credits: false,
      lastUpdated: false,
    }),
  ],
});
