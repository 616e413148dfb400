/** Every resource of the default worker. */
import type { Resources } from '../src/runtime/app.ts';
import { BACK_OFFICE_RESOURCES } from '../src/runtime/back-office-resources.ts';
import { PAGE_RESOURCES } from '../src/runtime/page-resources.ts';
import { PAYMENT_RESOURCES } from '../src/runtime/payment-resources.ts';

export const RESOURCES: Resources = [...PAYMENT_RESOURCES, ...PAGE_RESOURCES, ...BACK_OFFICE_RESOURCES];
