/** What hotels and operators manage their payments with: a module of its own, which is loaded when it is first called. */
import { audit, auditTable, platformAudit } from '../ledger/audit-routes.ts';
import { deskPages } from '../ledger/desk-page-routes.ts';
import { desk, deskSessions } from '../ledger/desk-session-routes.ts';
import { events } from '../ledger/event-routes.ts';
import { csvExport } from '../ledger/export-routes.ts';
import { paymentTable } from '../ledger/payment-export-routes.ts';
import { payments } from '../ledger/payment-routes.ts';
import { platformEvents } from '../ledger/platform-event-routes.ts';
import { status } from '../ledger/status-routes.ts';
import { webhookEndpoints } from '../ledger/webhook-endpoint-routes.ts';
import { platformKeys } from '../properties/platform-key-routes.ts';
import { properties } from '../properties/property-routes.ts';
import { gateway } from '../upstream/gateway-routes.ts';
import type { Resources } from './app.ts';

/** Lists, records, events, the desk, hotels and their settings. */
export const BACK_OFFICE_RESOURCES: Resources = [
  ['/v1/payments', payments],
  ['/v1/payments.csv', paymentTable],
  ['/v1/export.csv', csvExport],
  ['/v1/gateway', gateway],
  ['/v1/events', events],
  ['/v1/audit', audit],
  ['/v1/audit.csv', auditTable],
  ['/v1/webhook-endpoints', webhookEndpoints],
  ['/v1/desk-sessions', deskSessions],
  ['/v1/desk', desk],
  ['/v1/properties', properties],
  ['/v1/platform/events', platformEvents],
  ['/v1/platform/audit', platformAudit],
  ['/v1/platform/keys', platformKeys],
  ['/v1/status', status],
  ['/desk', deskPages],
];
