import { defineRouteMiddleware } from '@astrojs/starlight/route-data';
import { twinAddress } from '../src/addresses.ts';

/** Names each page's Markdown twin in its head. */
export const onRequest = defineRouteMiddleware(({ locals }) => {
  const { head, id } = locals.starlightRoute;
  if (id !== '404')
    head.push({ tag: 'link', attrs: { rel: 'alternate', type: 'text/markdown', href: twinAddress(id) }, content: '' });
});
