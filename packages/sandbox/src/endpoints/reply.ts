import type { DeclineReason } from '../domain/decline-reason.ts';
import type { Delivery, Plan } from '../domain/plan.ts';
import type { World } from '../world/world.ts';

/** A finished answer, before a scenario spoils its delivery. */
export interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly location?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delivery?: Delivery | undefined;
  /** For the wire log. */
  readonly scenario?: string;
  readonly note?: string;
}

/** What a reply says about itself beyond its fields. */
export type ReplyExtras = Partial<Pick<Reply, 'status' | 'delivery' | 'scenario' | 'note'>>;

export function jsonReply(fields: unknown, extras: ReplyExtras = {}): Reply {
  return { status: 200, contentType: 'application/json', body: JSON.stringify(fields), ...extras };
}

/** `returnCode` of a success, in the form of the profile and the plan. */
export function successCode(world: World, plan: Plan): string | number {
  return plan.hasNumericReturnCode === true ? 0 : world.successCode();
}

/** An answer that says no with HTTP 200: the issuer declined, or the request names something that cannot be done. */
export function declinedReply(
  world: World,
  {
    reason,
    fields = {},
    ...extras
  }: { reason: DeclineReason; fields?: Readonly<Record<string, string>> } & ReplyExtras,
): Reply {
  return jsonReply({ ...fields, ...world.profile.declined(reason) }, { note: `declined: ${reason}`, ...extras });
}

/** An answer to a request that was understood and cannot be done, with the field that says why. */
export function impossibleReply(
  world: World,
  fields: { readonly serviceProvider: string; readonly field: string; readonly reason: string },
  extras: ReplyExtras,
): Reply {
  return declinedReply(world, { reason: 'invalid_data', fields, note: `${fields.field} ${fields.reason}`, ...extras });
}
