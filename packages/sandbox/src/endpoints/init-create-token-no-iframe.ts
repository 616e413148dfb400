/** @see upstream API, section "Hosted tokenization init request" */
import { parseRequest } from '../wire/field-rules.ts';
import type { World } from '../world/world.ts';
import { type ApiCall, readJson, requireBearer } from './api-call.ts';
import { initHosted } from './init-hosted.ts';
import type { Reply } from './reply.ts';

/** `POST /V2/<customer_id>/initCreateTokenNoIframe`: opens a page of ours on which the guest stores a card. */
export function initCreateTokenNoIframe(world: World, call: ApiCall): Reply {
  const bearer = requireBearer(world, call);
  const terms = parseRequest(world.tables.initCreateTokenNoIframe, readJson(world, call), world.profile);
  return initHosted(world, {
    call,
    bearer,
    terms: { ...terms, operation: 'initCreateTokenNoIframe', payment: undefined },
  });
}
