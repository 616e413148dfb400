/** What somebody found out about an unknown outcome: as it is sent, and as it is kept. */
import * as v from 'valibot';
import { AuthorSchema } from './author.ts';
import { component, type TypeOf } from './component.ts';
import { AttemptNumberSchema, isHarmless, noControl, notHarmless, TimestampSchema } from './fields.ts';
import { AmountSchema, MoneySchema } from './money.ts';

/** What somebody can have found out about an unknown outcome. */
export const RESOLUTION_STATUSES = ['succeeded', 'failed'] as const;

/** What was found. */
export const ResolutionStatusSchema = component('ResolutionStatus', v.picklist(RESOLUTION_STATUSES), {
  description: 'What was found.',
});

// Constant, or the typings lose the texts where it is spread.
const resolutionEntries = {
  /** `succeeded`: it was carried out. `failed`: it was not. */
  status: ResolutionStatusSchema,
  /** How it was found out; kept with the resource. At most 500 characters. */
  evidence: v.pipe(
    v.string(),
    v.maxLength(500, 'Must have at most 500 characters'),
    v.regex(/\S/, 'Must say what is known'),
    v.check(isHarmless, notHarmless('The evidence')),
    v.transform((text) => text.trim()),
  ),
  /** The payment service's own id, when it is known. */
  transactionId: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(100),
      v.regex(/\S/, 'Must not be empty'),
      noControl,
      v.check(isHarmless, notHarmless('The id')),
      v.transform((id) => id.trim()),
    ),
  ),
  /** What really moved, when it is not what was asked for: all of it can be refunded. Only with `succeeded`, and not of a reversal. */
  amount: v.optional(AmountSchema),
} as const;

/** Body of `resolve` for a charge or a reversal. */
export const ResolutionSchema = component('Resolution', v.strictObject(resolutionEntries), {
  description: 'What somebody found out about an unknown outcome.',
});

/** Body of `resolve`: what somebody found out about an unknown outcome. @interface */
export type Resolution = v.InferInput<typeof ResolutionSchema>;

/** Body of `resolve` for a session. */
export const SessionResolutionSchema = component(
  'SessionResolution',
  v.strictObject({
    ...resolutionEntries,
    /** Number of the attempt; required where two fit, and where another one is paid or resolved already. */
    attempt: v.optional(AttemptNumberSchema),
  }),
  { description: 'What somebody found out about a session.' },
);

/** Body of `checkoutSessions.resolve`. @interface */
export type SessionResolution = v.InferInput<typeof SessionResolutionSchema>;

const recorded = v.object({
  /** `succeeded`: it was carried out. `failed`: it was not. */
  status: ResolutionStatusSchema,
  /** How it was found out. */
  evidence: v.string(),
  /** The payment service's own id; null when it was not given. */
  transactionId: v.nullable(v.string()),
  /** Who resolved it. */
  by: AuthorSchema,
  /** When it was resolved, RFC 3339 UTC. */
  at: TimestampSchema,
  /** What really moved; absent when it was not given. */
  amount: v.exactOptional(MoneySchema),
});

export interface RecordedResolutionType extends TypeOf<typeof recorded> {}

/** What somebody found out, as it is kept with a charge or a reversal. */
export const RecordedResolutionSchema: RecordedResolutionType = component('RecordedResolution', recorded, {
  description: 'Who ended an unknown outcome by hand, and why; `amount` is what moved, when it was given.',
});

/** What somebody found out about an unknown outcome, as it is kept. @interface */
export type RecordedResolution = v.InferOutput<typeof RecordedResolutionSchema>;

/** What somebody found out, as it is kept with a session. */
export const RecordedSessionResolutionSchema: RecordedResolutionType = component(
  'RecordedSessionResolution',
  recorded,
  {
    description: 'Who ended an uncertain outcome by hand, and why; `amount` is what moved, when it was given.',
  },
);

/** What somebody found out about a session, as it is kept. @interface */
export type RecordedSessionResolution = v.InferOutput<typeof RecordedSessionResolutionSchema>;
