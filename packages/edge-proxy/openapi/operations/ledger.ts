/** Events, exports, and how a hotel and its webhooks are doing. */
import {
  AuditListSchema,
  EventListSchema,
  EventSchema,
  PaymentListSchema,
  PaymentSchema,
  PlatformEventListSchema,
  PropertyStatusSchema,
  WebhookEndpointListSchema,
} from '@innkeep/core/contract';
import type { OperationTexts } from '../operation-text.ts';

export const LEDGER: OperationTexts = {
  listEvents: {
    summary: 'List events after a position, oldest first',
    description:
      'Store `nextAfter` and begin there next time: the feed has no gaps, and events stay for 90 days. Of each event, a desk session is shown only the `id`, `type`, `createdAt`, `position` and the id of its `resource`.',
    answers: {
      200: {
        description:
          'A page; `nextAfter` repeats `after` when nothing is new, and is the end of the feed when `after` lies beyond it',
        schema: EventListSchema,
      },
    },
  },
  redeliverEvent: {
    summary: 'Redeliver an event to every webhook endpoint',
    description: 'For endpoints that were down or disabled. The event keeps its id.',
    answers: { 202: { description: 'The event, on its way', schema: EventSchema } },
    problems: ['not_found'],
  },
  listPayments: {
    summary: 'List or search payments, newest first',
    description:
      'One line per payment, whether session or charge. Ask by the hotel’s days, `day` or `from` and `to`, and a `status`; or by `q` alone: a reference or its beginning in any case, an amount as people write it, the last four digits of a card, or a payment’s id; at most 50 lines, the best fit first. A payment is listed when it was paid or, if unpaid, made. A reversal has a line of its own if its payment is not in the range, always while it is `unknown`, and with a `status` unless it has succeeded. The totals add up: each line says in `counted` what it adds. A page may have fewer lines than `limit` although more follow: continue while there is a cursor. Follow `GET /v1/events` from `position`. Eventually consistent.',
    answers: { 200: { description: 'A page', schema: PaymentListSchema } },
  },
  retrievePayment: {
    summary: 'Retrieve a payment with its attempts and reversals',
    description:
      'A session or a charge with its attempts, reversals and authors, and what is left to refund: without tokens, metadata and return addresses. Like the lists, it may be seconds behind.',
    answers: { 200: { description: 'The payment', schema: PaymentSchema } },
    problems: ['not_found'],
    params: { id: 'Id of a session or a charge: `cs_…` or `ch_…`.' },
  },
  exportPayments: {
    summary: 'Export the payments of a range as CSV, newest first',
    description:
      'By the days of the hotel: `day`, or `from` and `to`, at most a year. `taken` and `reversed` are what a line adds to the totals of the range; `local_time` is the hotel’s. New columns are added at the end. The call is recorded in the audit.',
    answers: {
      200: {
        description: 'One row each, quoted; formulas are made text',
        type: 'text/csv',
        headers: ['Content-Disposition'],
      },
    },
  },
  exportCsv: {
    summary: 'Export payments, charges and reversals of a range as CSV, for reconciliation',
    description:
      'Give `from` and `to`, or `completedFrom` and `completedTo`. The columns and their order are fixed; new ones are added at the end.',
    answers: {
      200: {
        description: 'One row each, quoted; formulas are made text',
        type: 'text/csv',
        headers: ['Content-Disposition'],
      },
    },
  },
  listAudit: {
    summary: 'List audit entries of a hotel, newest first',
    description:
      'Every write that moves money or decides, once, with its author; reads of tokens and exports; counted refusals. A filtered page may be empty although more follow: continue while there is a cursor. Eventually consistent.',
    answers: { 200: { description: 'A page', schema: AuditListSchema } },
  },
  listPlatformAudit: {
    summary: 'List configuration changes of all hotels of the key, newest first',
    description:
      'Changes of configurations. What was done at a hotel is in its own audit. A filtered page may be empty although more follow: continue while there is a cursor.',
    answers: { 200: { description: 'A page', schema: AuditListSchema } },
  },
  exportAudit: {
    summary: 'Export the audit entries of a range as CSV, oldest first',
    description:
      'Give `from` and `to`, at most a year apart. New columns are added at the end. The call itself is recorded, too.',
    answers: {
      200: {
        description: 'One row each, quoted; formulas are made text',
        type: 'text/csv',
        headers: ['Content-Disposition'],
      },
    },
  },
  listPlatformEvents: {
    summary: 'List events of all hotels of the key, oldest first',
    description:
      'Store `nextAfter` and begin there next time. Positions are the platform’s own; events stay for 90 days. A page may be empty although more follow: continue until `nextAfter` stays the same.',
    answers: {
      200: {
        description:
          'A page; `nextAfter` repeats `after` when nothing is new, and is the end of the feed when `after` lies beyond it',
        schema: PlatformEventListSchema,
      },
    },
  },
  retrieveStatus: {
    summary:
      'Retrieve the status of the hotel: what is uncertain, what waits, whether the payment service is down, or refuses the login or starts, and how full its ledger is',
    description:
      'Only numbers: the lists, `status=unknown` first, say which ones. It costs little, so ask every minute if you like.',
    isForOperators: true,
    answers: { 200: { description: 'How the hotel is doing', schema: PropertyStatusSchema } },
  },
  listWebhookEndpoints: {
    summary: 'List webhook endpoints with their deliveries and status',
    description: 'Addresses may hold secrets, so only their hosts are shown.',
    answers: { 200: { description: 'Every endpoint of the configuration', schema: WebhookEndpointListSchema } },
  },
};
