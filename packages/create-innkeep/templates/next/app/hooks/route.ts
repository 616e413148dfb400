import { fetchWebhook } from '@innkeep/core/webhooks';
import { INNKEEP_WEBHOOK_SECRET, onEvent } from '../../payments.js';

export const POST = fetchWebhook(INNKEEP_WEBHOOK_SECRET, onEvent);
