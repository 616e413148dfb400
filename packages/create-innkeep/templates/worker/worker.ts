import { fetchWebhook } from '@innkeep/core/webhooks';
import { answer } from './pages.js';
import { INNKEEP_WEBHOOK_SECRET, onEvent } from './payments.js';

export default {
  fetch(request: Request): Promise<Response> {
    if (new URL(request.url).pathname === '/hooks') return fetchWebhook(INNKEEP_WEBHOOK_SECRET, onEvent)(request);
    return answer(request, { elements: '/widgets.js' });
  },
};
