/** Parts that several resources share. */
import * as v from 'valibot';

/** An instant. */
export const Timestamp = v.pipe(v.string(), v.isoTimestamp());

/** Version of a resource, or place in the feed. */
export const Seq = v.pipe(v.number(), v.integer(), v.minValue(1));

/** Money in answers. */
export const Money = v.pipe(
  v.strictObject({
    value: v.pipe(v.number(), v.integer(), v.minValue(0)),
    currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
  }),
  v.description('Integer minor units and an ISO 4217 code.'),
);

/** Who ended an unknown outcome, and why. */
export const Resolution = v.strictObject({
  status: v.picklist(['succeeded', 'failed']),
  evidence: v.string(),
  transactionId: v.nullable(v.string()),
  by: v.string(),
  at: Timestamp,
});
