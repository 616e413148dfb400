/** Pages of lists, and what narrows a list. */
import * as v from 'valibot';

/** One page of a list, newest first. @__NO_SIDE_EFFECTS__ */
export function pageOf<Item extends v.GenericSchema>(item: Item) {
  return v.object({
    /** Kind of answer. */
    object: v.literal('list'),
    /** The resources of this page. */
    data: v.array(item),
    /** For the next page; null at the end. */
    nextCursor: v.nullable(v.string()),
  });
}

/** One page of a list, newest first. Eventually consistent. @interface */
export type Page<Resource> = v.InferOutput<ReturnType<typeof pageOf<v.GenericSchema<Resource>>>>;

/** `limit` of a list. */
export const LimitSchema = v.optional(
  v.pipe(
    v.string(),
    v.description('At most this many, 1 to 100.'),
    v.regex(/^\d{1,3}$/, 'Must be 1 to 100'),
    v.transform(Number),
    v.minValue(1, 'Must be 1 to 100'),
    v.maxValue(100, 'Must be 1 to 100'),
  ),
  '20',
);

/** A day or an instant, which becomes milliseconds. @__NO_SIDE_EFFECTS__ */
function instant(description: string) {
  return v.optional(
    v.pipe(
      v.string(),
      v.description(description),
      v.regex(
        /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z)?$/,
        'Must be a day such as 2026-03-01 or an instant such as 2026-03-01T00:00:00Z, both UTC',
      ),
      v.transform((text) => Date.parse(text)),
      v.check((ms) => Number.isFinite(ms), 'Must be a day that exists'),
    ),
  );
}

/** Query of a list. @__NO_SIDE_EFFECTS__ */
export function listQueryOf<const Status extends readonly string[]>(statuses: Status) {
  return v.strictObject({
    /** Only those in this state. */
    status: v.optional(v.pipe(v.picklist(statuses), v.description('Only those in this state.'))),
    /** Only those of this reservation. */
    reference: v.optional(v.pipe(v.string(), v.maxLength(64), v.description('Only those of this reservation.'))),
    /** Only those completed at this day or instant, UTC, or later. Orders the list by completion. */
    completedFrom: instant(
      'Only those completed at this day or instant, UTC, or later. Orders the list by completion.',
    ),
    /** Only those completed before this day or instant, UTC. Orders the list by completion. */
    completedTo: instant('Only those completed before this day or instant, UTC. Orders the list by completion.'),
    limit: LimitSchema,
    /** `nextCursor` of the page before. */
    cursor: v.optional(v.pipe(v.string(), v.maxLength(200), v.description('`nextCursor` of the page before.'))),
  });
}

type ListFilter<Status extends string> = v.InferInput<ReturnType<typeof listQueryOf<readonly Status[]>>>;

/** Filter and place of a list. */
export interface ListQuery<Status extends string> extends Omit<ListFilter<Status>, 'limit'> {
  /** 1 to 100. @default 20 */
  limit?: number | undefined;
}

/** Query of `GET /v1/export.csv`: one of the two ranges, whole. Instants become milliseconds. */
export const ExportRangeSchema = v.strictObject({
  from: instant('First day or instant of creation, UTC, included. Either this pair or the other.'),
  to: instant('Last day or instant of creation, UTC, not included; at most a year after `from`.'),
  completedFrom: instant('First day or instant of completion, UTC, included. What is not completed is left out.'),
  completedTo: instant('Last day or instant of completion, UTC, not included; at most a year after `completedFrom`.'),
});

/**
 * A period, by creation or by completion: days such as `2026-03-01` or instants such as `2026-03-01T00:00:00Z`, both UTC.
 * The first is included, the last is not, and they are at most a year apart. By completion, what is not completed is left
 * out.
 */
export type ExportRange = Record<'from' | 'to', string> | Record<'completedFrom' | 'completedTo', string>;
