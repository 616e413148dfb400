import { fetchWebhook } from '@innkeep/core/webhooks';
import { answer } from './pages.js';
import { INNKEEP_WEBHOOK_SECRET, onEvent } from './payments.js';

const receiveWebhook = fetchWebhook(INNKEEP_WEBHOOK_SECRET, onEvent);

Deno.serve({ hostname: '127.0.0.1', port: Number(Deno.env.get('PORT') ?? 3000) }, async (request) => {
  const { pathname } = new URL(request.url);
  if (pathname === '/hooks') return receiveWebhook(request);
  // The elements' files, served from your own site.
  const [, file] = /^\/innkeep\/((?:locales\/)?[\w-]+\.js(?:on)?)$/.exec(pathname) ?? [];
  if (!file) return answer(request, { elements: '/innkeep/widgets.js' });
  const body = await Deno.readFile(new URL(`node_modules/@innkeep/widgets/dist/cdn/${file}`, import.meta.url));
  return new Response(body, {
    headers: { 'content-type': file.endsWith('.js') ? 'text/javascript' : 'application/json' },
  });
});
