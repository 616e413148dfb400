import * as v from 'valibot';

/** `returnCode` comes as a string or as a number; it is always a string here. Success is `'0'`. */
export const ReturnCodeSchema: v.GenericSchema<unknown, string> = v.pipe(
  v.union([v.pipe(v.string(), v.nonEmpty()), v.pipe(v.number(), v.integer())]),
  v.transform(String),
);
