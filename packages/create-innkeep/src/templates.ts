/** What can be made: each template is a stack of folders of `templates/`, with later ones on top. */

/** One stack that a site can have. */
export interface Template {
  readonly title: string;
  readonly layers: readonly string[];
  /** What has to be on the machine besides Node. */
  readonly needs?: string;
}

const NODE_SERVER: readonly string[] = ['site', 'payments', 'node-server'];

/** Name of a template. */
export type TemplateName = 'vanilla' | 'react' | 'next' | 'vue' | 'svelte' | 'astro' | 'php' | 'worker' | 'deno';

/** The stacks by what `--template` calls them. */
export const TEMPLATES: Readonly<Record<TemplateName, Template>> = {
  vanilla: { title: 'Plain HTML, with a small Node server', layers: [...NODE_SERVER, 'vanilla'] },
  react: { title: 'React, with Vite and a small Node server', layers: [...NODE_SERVER, 'vite', 'react'] },
  next: { title: 'Next.js', layers: ['site', 'payments', 'next'] },
  vue: { title: 'Vue, with Vite and a small Node server', layers: [...NODE_SERVER, 'vite', 'vue'] },
  svelte: { title: 'Svelte, with Vite and a small Node server', layers: [...NODE_SERVER, 'vite', 'svelte'] },
  astro: { title: 'Astro', layers: ['site', 'payments', 'astro'] },
  php: { title: 'PHP', layers: ['site', 'php'], needs: 'PHP 8.1 or newer' },
  worker: { title: 'Cloudflare Worker', layers: ['site', 'payments', 'pages', 'worker'] },
  deno: { title: 'Deno', layers: ['site', 'payments', 'pages', 'deno'] },
};

/** What a project can be: a site with a small server, a deployment of the proxy, or both. */
export const WHATS = {
  site: 'A site with a small server',
  proxy: 'The deployment of the proxy',
  both: 'Both: the site, and the deployment in its folder proxy',
} as const;

/** What a project is. */
export type What = keyof typeof WHATS;

/** Whether a text is the name of a template. */
export function isTemplateName(text: string): text is TemplateName {
  return Object.hasOwn(TEMPLATES, text);
}

/** Whether a text says what a project is. */
export function isWhat(text: string): text is What {
  return Object.hasOwn(WHATS, text);
}
