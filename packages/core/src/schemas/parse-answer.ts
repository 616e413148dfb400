import * as v from 'valibot';
import { DeclinedError, InvalidResponseError } from '../errors.ts';
import { ReturnCodeSchema } from './return-code.ts';

/** A JSON object as it came. */
export type Json = Readonly<Record<string, unknown>>;

/**
 * Reads an answer by its schema.
 *
 * @throws `invalid_response` with the path of the first bad field, never with its value
 */
export function parseAnswer<Output>(operation: string, schema: v.GenericSchema<unknown, Output>, json: Json): Output {
  const parsed = v.safeParse(schema, json, { abortEarly: true });
  if (parsed.success) return parsed.output;
  throw badField(operation, v.getDotPath(parsed.issues[0]) ?? '');
}

/** The error for a field that does not mean what the specification says. */
export function badField(operation: string, path: string): InvalidResponseError {
  return new InvalidResponseError(path, `The answer to ${operation} has a missing or wrong "${path}".`);
}

/**
 * Reads an answer that is a success only with `returnCode` 0.
 *
 * @throws `declined` for any other returnCode, whatever else is in the answer; `invalid_response` as {@link parseAnswer}
 */
export function parseAccepted<Output>(operation: string, schema: v.GenericSchema<unknown, Output>, json: Json): Output {
  const code = v.safeParse(ReturnCodeSchema, json.returnCode);
  if (!code.success) throw badField(operation, 'returnCode');
  if (code.output !== '0') {
    // Public samples spell the provider's text in two more ways.
    const text = [json.returnText, json.returnTextSP, json.returnTextServiceProvider].find(
      (each) => typeof each === 'string' && each !== '',
    );
    throw new DeclinedError(operation, code.output, text === undefined ? undefined : String(text));
  }
  return parseAnswer(operation, schema, json);
}
