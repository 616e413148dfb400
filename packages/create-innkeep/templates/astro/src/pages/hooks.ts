import { fetchWebhook } from '@innkeep/core/webhooks';
import type { APIRoute } from 'astro';
import { INNKEEP_WEBHOOK_SECRET, onEvent } from '../../payments.js';

const receive = fetchWebhook(INNKEEP_WEBHOOK_SECRET, onEvent);

export const POST: APIRoute = ({ request }) => receive(request);
