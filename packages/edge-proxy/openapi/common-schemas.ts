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

const resolutionEntries = {
  status: v.pipe(v.picklist(['succeeded', 'failed']), v.description('What was found.')),
  evidence: v.pipe(v.string(), v.description('How it was found out.')),
  transactionId: v.pipe(
    v.nullable(v.string()),
    v.description('The payment service’s own id; null when it was not given.'),
  ),
  by: v.pipe(v.string(), v.description('Name of the merchant key that was used.')),
  at: v.pipe(Timestamp, v.description('When it was resolved.')),
};

/** Who ended an unknown outcome, and why. */
export const Resolution = v.pipe(
  v.strictObject(resolutionEntries),
  v.description('Who ended an unknown outcome by hand, and why. Absent otherwise.'),
);

/** The same of a session. */
export const SessionResolution = v.pipe(
  v.strictObject({ ...resolutionEntries, amount: v.optional(Money) }),
  v.description('Who ended an uncertain outcome by hand, and why; `amount` is what moved, when it was given.'),
);
