import { fetchWebhook } from '@innkeep/core/webhooks';
import { answer } from './pages.js';
import { INNKEEP_WEBHOOK_SECRET, onEvent } from './payments.js';

const receiveWebhook = fetchWebhook(INNKEEP_WEBHOOK_SECRET, onEvent);

const hostname = Deno.env.get('HOST') || '127.0.0.1';

Deno.serve({ hostname, port: Number(Deno.env.get('PORT') ?? 3000) }, async (request) => {
  const { pathname } = new URL(request.url);
  if (pathname === '/hooks') return receiveWebhook(request);
  // The elements' files, served from your own site.
  const [, file] = /^\/innkeep\/((?:locales\/)?[\w-]+\.js(?:on)?)$/.exec(pathname) ?? [];
  if (!file) return answer(request, { elements: '/innkeep/widgets.js' });
  const path = new URL(`node_modules/@innkeep/widgets/dist/cdn/${file}`, import.meta.url);
  const body = await Deno.readFile(path).catch(() => undefined);
  if (!body) return new Response('Not found', { status: 404 });
  return new Response(body, {
    headers: { 'content-type': file.endsWith('.js') ? 'text/javascript' : 'application/json' },
  });
});
