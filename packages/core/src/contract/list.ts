/** Pages of lists, and what narrows a list. */
import * as v from 'valibot';
import { isDate } from '../values/local-date-time.ts';
import { CountSchema } from './fields.ts';

/** One page of a list, newest first. */
// @__NO_SIDE_EFFECTS__
export function pageOf<Item extends v.GenericSchema>(item: Item) {
  return v.object({
    /** Kind of answer. */
    object: v.literal('list'),
    /** The resources of this page. */
    data: v.array(item),
    /** `cursor` of the next page; null at the end. */
    nextCursor: v.nullable(v.string()),
  });
}

/** One page of a list, newest first. Eventually consistent. @interface */
export type Page<Resource> = v.InferOutput<ReturnType<typeof pageOf<v.GenericSchema<Resource>>>>;

/** A stretch of the feed. */
// @__NO_SIDE_EFFECTS__
export function feedOf<Event extends v.GenericSchema>(event: Event) {
  return v.object({
    /** Kind of answer. */
    object: v.literal('list'),
    /** The events of this stretch. */
    data: v.array(event),
    /** `after` for the next call; the same `after` when nothing is new, and the feed's end when `after` lies beyond it. */
    nextAfter: CountSchema,
  });
}

/** A whole number in a query, in digits. */
// @__NO_SIDE_EFFECTS__
export function numberIn(range: { readonly min: number; readonly max: number; readonly message: string }) {
  const { min, max, message } = range;
  return v.pipe(
    v.string(),
    v.regex(/^\d{1,15}$/, message),
    v.transform(Number),
    v.number(),
    v.integer(),
    v.minValue(min, message),
    v.maxValue(max, message),
  );
}

/** `limit` of a list. */
export const LimitSchema = v.optional(
  v.pipe(numberIn({ min: 1, max: 100, message: 'Must be 1 to 100' }), v.description('At most this many, 1 to 100.')),
  '20',
);

/** A day or an instant of a query, which becomes milliseconds. */
export const InstantSchema = v.optional(
  v.pipe(
    v.string(),
    v.examples(['2026-03-01']),
    v.regex(
      /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,3})?Z)?$/,
      'Must be a day such as 2026-03-01 or an instant such as 2026-03-01T00:00:00Z, both UTC',
    ),
    v.check((text) => isDate(text.slice(0, 10)), 'Must be a day that exists'),
    v.transform((text) => Date.parse(text)),
  ),
);

/** Query of a list. */
// @__NO_SIDE_EFFECTS__
export function listQueryOf<const Status extends v.GenericSchema<string>>(status: Status) {
  return v.strictObject({
    /** Only those in this state. */
    status: v.optional(status),
    /** Only those of this reservation. */
    reference: v.optional(v.pipe(v.string(), v.maxLength(64))),
    /** Only those completed at this day or instant, UTC, or later. Orders the list by completion. */
    completedFrom: InstantSchema,
    /** Only those completed before this day or instant, UTC. Orders the list by completion. */
    completedTo: InstantSchema,
    limit: LimitSchema,
    /** `nextCursor` of the page before. */
    cursor: v.optional(v.pipe(v.string(), v.maxLength(200))),
  });
}

type ListFilter<Status extends string> = v.InferInput<ReturnType<typeof listQueryOf<v.GenericSchema<Status>>>>;

/** Filter and place of a list. */
export interface ListQuery<Status extends string> extends Omit<ListFilter<Status>, 'limit'> {
  /** 1 to 100. @default 20 */
  limit?: number | undefined;
}

/** Query of `GET /v1/export.csv`: one of the two ranges, whole. Instants become milliseconds. */
export const ExportRangeSchema = v.strictObject({
  /** First day or instant of creation, UTC, included. Either this pair or the other. */
  from: InstantSchema,
  /** Last day or instant of creation, UTC, not included; at most a year after `from`. */
  to: InstantSchema,
  /** First day or instant of completion, UTC, included. What is not completed is left out. */
  completedFrom: InstantSchema,
  /** Last day or instant of completion, UTC, not included; at most a year after `completedFrom`. */
  completedTo: InstantSchema,
});

/**
 * A period, by creation or by completion: days such as `2026-03-01` or instants such as `2026-03-01T00:00:00Z`, both UTC.
 * The first is included, the last is not, and they are at most a year apart. By completion, what is not completed is left
 * out.
 */
export type ExportRange =
  | {
      /** First day or instant of creation, included. */
      from: string;
      /** Last day or instant of creation, not included. */
      to: string;
      completedFrom?: undefined;
      completedTo?: undefined;
    }
  | {
      /** First day or instant of completion, included. */
      completedFrom: string;
      /** Last day or instant of completion, not included. */
      completedTo: string;
      from?: undefined;
      to?: undefined;
    };
