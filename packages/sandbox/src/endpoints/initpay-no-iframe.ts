/** @see upstream API, section "Hosted payment init request" */
import { parseRequest } from '../wire/field-rules.ts';
import type { World } from '../world/world.ts';
import { type ApiCall, readJson, requireBearer } from './api-call.ts';
import { initHosted } from './init-hosted.ts';
import type { Reply } from './reply.ts';

/** `POST /V2/<customer_id>/initpayNoIframe`: opens a payment that the guest makes on a page of ours. */
export function initpayNoIframe(world: World, call: ApiCall): Reply {
  const bearer = requireBearer(world, call);
  const request = parseRequest(world.tables.initpayNoIframe, readJson(world, call), world.profile);
  const { amount, currency, resNo, description, supportedFeatures, ...terms } = request;
  const payment = { amount, currency, resNo, description, hasSurchargeFeature: supportedFeatures === 'surcharge' };
  return initHosted(world, { call, bearer, terms: { ...terms, operation: 'initpayNoIframe', payment } });
}
