/** Failures as HTTP tells them: a stable code, its status, and the document that says what happened (RFC 9457). */
import * as v from 'valibot';
import { component } from './component.ts';

/** HTTP status of each code of a problem document. */
export const PROBLEM_STATUSES = {
  /**
   * A field, a header or the body is missing or wrong; `param` names it.
   *
   * Money: did not move; nothing was stored.
   *
   * What to do: correct what `param` names and send the request again.
   */
  invalid_request: 400,
  /**
   * The key or the client secret is missing, wrong or revoked, or the key has expired.
   *
   * Money: did not move.
   *
   * What to do: send `Authorization: Bearer` with the right secret. A guest’s page asks the hotel’s server for a new
   * client secret.
   */
  unauthorized: 401,
  /**
   * The caller is known and may not do this: the key lacks the scope, or is for other addresses, the page’s origin is not one of the
   * property’s, which its browser reports as a CORS error, or the gateway method is not allowed.
   *
   * Money: did not move.
   *
   * What to do: use a key that has the scope, or add the scope, the address, the origin or the method to the property, or call from where it is allowed.
   */
  forbidden: 403,
  /**
   * The reversals of this key would refund more than its `maxReversal` allows in a day of the hotel. Unknown ones count.
   *
   * Money: did not move; nothing was sent.
   *
   * What to do: refund less, wait for the next day, or ask somebody whose key has a higher limit.
   */
  limit_reached: 403,
  /**
   * There is nothing at this address, or nothing with this id that belongs to the key’s hotel.
   *
   * Money: did not move.
   *
   * What to do: check the id, and that the key is of the same hotel.
   */
  not_found: 404,
  /**
   * The address exists, with another method; the `Allow` header says which.
   *
   * Money: did not move.
   *
   * What to do: use one of the methods in `Allow`.
   */
  method_not_allowed: 405,
  /**
   * The session is paid, unknown or expired, so it cannot be started, ended or given a link now; or its guest came back as having
   * paid, so it cannot be started.
   *
   * Money: this request moved none; read the session to learn what it did.
   *
   * What to do: read the session. One that has `expired` and is `final` is reopened by `PUT …/by-key/{key}` with its key.
   */
  session_not_open: 409,
  /**
   * The guest was shown other terms than the session has now: another amount, surcharge or description.
   *
   * Money: did not move; no attempt began.
   *
   * What to do: read the session again, show what it says now, and start with its `terms`. The elements do this by themselves.
   */
  terms_changed: 409,
  /**
   * The session has had 20 attempts.
   *
   * Money: did not move; no attempt began.
   *
   * What to do: let a person look why none succeeded. A further payment needs a session of another key.
   */
  too_many_attempts: 409,
  /**
   * The guest has started to pay, so the session can no longer be ended by hand.
   *
   * Money: may be moving right now.
   *
   * What to do: wait for the webhook, or read the session again.
   */
  payment_in_progress: 409,
  /**
   * The first call with this key is still running; `resource` is what it made.
   *
   * Money: may be moving, through that first call.
   *
   * What to do: wait as long as `Retry-After` says and send the very same request again.
   */
  idempotency_in_progress: 409,
  /**
   * The same charge, with the same reference, reason and amount, or the same reversal, of the same payment and amount, is
   * under way or unknown under another key, or has succeeded within the last ten minutes; `resource` is its id.
   *
   * Money: this request moved none; the other one may have.
   *
   * What to do: look at the other one first. Only if this really is a second one, send `allowDuplicate`.
   */
  possible_duplicate: 409,
  /**
   * The payment has not succeeded, keeps a card only, has no transaction id, was taken in the other `livemode` or in another unit, or
   * nothing of it is left to refund.
   *
   * Money: did not move.
   *
   * What to do: read the payment: `reversed` and `reversing` say what is gone already. If something is left, refund it in the payment
   * service’s portal, unless `detail` names a setting to correct.
   */
  not_reversible: 409,
  /**
   * A person cannot resolve this outcome that way. A charge or a reversal has to be `unknown`. Of a session, an attempt that is
   * `unknown` or abandoned can be resolved either way, one that is declined, canceled or failed only as `succeeded`, and none
   * that is pending or has succeeded.
   *
   * Money: this request moved none.
   *
   * What to do: read the resource: it has an outcome already, or the guest may still be paying.
   */
  not_resolvable: 409,
  /**
   * Only what is final can be redacted, and this one, or a reversal of it, can still change.
   *
   * Money: this request moved none.
   *
   * What to do: wait for the outcome, or resolve the one that is `unknown`; then redact it.
   */
  not_final: 409,
  /**
   * The key of the path stands for a session that was redacted, or that was tried in the other `livemode`. It makes no other one.
   *
   * Money: did not move; nothing was stored.
   *
   * What to do: read what there was with `GET`. For something new use a new key.
   */
  key_used: 410,
  /**
   * The hotel's configuration is a `PROPERTY_<ID>` secret of the deployment, which comes before the directory.
   *
   * Money: did not move.
   *
   * What to do: change the secret; or take it out of the deployment, and then put the configuration into the directory.
   */
  configured_by_secret: 409,
  /**
   * The configuration has another version than the one in `If-Match`, or none yet.
   *
   * Money: did not move; nothing was stored.
   *
   * What to do: read the property, make the change to what it is now, and send it with the version just read.
   */
  version_conflict: 412,
  /**
   * The body is larger than 16 KiB; for the gateway, than 1 MiB.
   *
   * Money: did not move.
   *
   * What to do: send less.
   */
  payload_too_large: 413,
  /**
   * The body is not declared as JSON.
   *
   * Money: did not move.
   *
   * What to do: send `Content-Type: application/json`.
   */
  unsupported_media_type: 415,
  /**
   * The `Idempotency-Key` stands for an earlier request with another body, or of the other `livemode`; `resource` is what that one made.
   *
   * Money: this request moved none; the earlier one may have.
   *
   * What to do: to ask for the outcome of an earlier request with another body, repeat it unchanged. For something new, and for a request
   * of the other `livemode`, use a new key.
   */
  idempotency_mismatch: 422,
  /**
   * A configuration that exists is changed only by whoever says which version was read.
   *
   * Money: did not move; nothing was stored.
   *
   * What to do: read the property, and send its `ETag` as `If-Match`.
   */
  precondition_required: 428,
  /**
   * Too many requests or refused credentials from one address, too many failed starts of one session, or as many calls of one hotel under
   * way as it may have.
   *
   * Money: did not move.
   *
   * What to do: wait as long as `Retry-After` says.
   */
  rate_limited: 429,
  /**
   * Something in the proxy failed that should not; the log has the request under `traceId`.
   *
   * Money: a charge or a reversal may have been carried out.
   *
   * What to do: repeat a charge or a reversal with the same `Idempotency-Key`, which never does it twice. Report the
   * `traceId` to whoever runs the proxy.
   */
  internal: 500,
  /**
   * The payment service or the gateway cannot be reached, answers unreadably, or, for the gateway, with a status other
   * than 200 (`upstreamStatus`).
   *
   * Money: no card was charged. A gateway message may have been carried out.
   *
   * What to do: start or key in the card again. Look into the property-management system before sending a gateway
   * message again.
   */
  upstream_error: 502,
  /**
   * The payment service refused to open a page or to take the card, or answered with an address that is not trusted.
   *
   * Money: did not move; a session stays `open`.
   *
   * What to do: check the property’s settings with `innkeep hotel check`; for a keyed-in card, ask for another one.
   */
  upstream_rejected: 502,
  /**
   * The hotel’s configuration cannot be used, or the payment service refuses its credentials; `param` names the field
   * to blame.
   *
   * Money: did not move.
   *
   * What to do: correct the `PROPERTY_<ID>` secret, or the property in the directory. Other hotels of the deployment are served meanwhile.
   */
  property_unavailable: 503,
  /**
   * The payment service is known to be down, or a part of the proxy does not answer, so a charge or a reversal was not
   * even begun; or nobody could say in time how the attempts before a start had ended.
   *
   * Money: did not move; nothing was stored or sent.
   *
   * What to do: send the same request again after `Retry-After`.
   */
  upstream_unavailable: 503,
  /**
   * The payment service or the gateway did not answer in time.
   *
   * Money: no card was charged. A gateway message may have been carried out.
   *
   * What to do: start again. Look into the property-management system before sending a gateway message again.
   */
  upstream_timeout: 504,
  /**
   * The hotel’s ledger has no room for another charge. Outcomes, reads, reversals, webhooks and the guests’ payments go on.
   *
   * Money: did not move; nothing was stored or sent.
   *
   * What to do: tell whoever runs the proxy; see “Limits” in the documentation. Room becomes free by itself as the oldest payments
   * leave the ledger. Charge at the front desk meanwhile.
   */
  ledger_full: 507,
} as const satisfies Record<string, number>;

/** Stable code of a problem document. */
export type ProblemCode = keyof typeof PROBLEM_STATUSES;

/** Stable code of a problem document. */
export const ProblemCodeSchema = component('ProblemCode', v.picklist(Object.keys(PROBLEM_STATUSES) as ProblemCode[]), {
  description: 'Stable code of a failure.',
});

/** The body of every failed answer, `application/problem+json`. */
export const ProblemSchema = component(
  'Problem',
  v.object({
    /** `urn:innkeep:problem:` and the code. */
    type: v.string(),
    /** The code in words. */
    title: v.string(),
    /** HTTP status. */
    status: v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599)),
    /** Stable code of what went wrong: branch on this, not on the words. */
    code: ProblemCodeSchema,
    /** What failed in this case, and what to do. */
    detail: v.string(),
    /** Dotted path of the field, or name of the header, that the proxy objected to. Absent when it was neither. */
    param: v.optional(v.string()),
    /** Id of the resource that the failure is about; absent when it is about none. */
    resource: v.optional(v.string()),
    /** HTTP status that the gateway answered with, when that is what failed. */
    upstreamStatus: v.optional(v.number()),
    /** Equal to the `x-request-id` header. */
    traceId: v.string(),
  }),
  { description: 'What went wrong (RFC 9457). `code` is stable, `param` the field to blame.' },
);

/** Failure document of the proxy (`application/problem+json`). @interface */
export type Problem = v.InferOutput<typeof ProblemSchema>;
