import * as v from 'valibot';
import { DeclinedError, InvalidResponseError } from '../errors.ts';
import { ReturnCodeSchema } from './return-code.ts';

/** A JSON object that came through the gate of `clean-answer.ts`. */
export type Json = Readonly<Record<string, unknown>>;

/** The fields of an answer. A field that came as null is missing. */
export type Given<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], null | undefined> };

/** What every accepted answer has besides its own fields. */
export interface Accepted {
  /** `'0'`: anything else is thrown as `declined`. */
  returnCode: string;
  /** The answer, unknown fields included. Card numbers in it are blanked, and what is too long is cut. */
  raw: Json;
}

/**
 * Reads an answer by its schema.
 *
 * @throws `invalid_response` with the path of the first bad field, never with its value
 */
export function parseAnswer<Fields extends object>(
  operation: string,
  schema: v.GenericSchema<unknown, Fields>,
  json: Json,
): Given<Fields> {
  const parsed = v.safeParse(schema, json, { abortEarly: true });
  if (!parsed.success) throw badField(operation, v.getDotPath(parsed.issues[0]) ?? '');
  const given = Object.entries(parsed.output).filter(([, value]) => value != null);
  // True because exactly the fields without a value are gone.
  return Object.fromEntries(given) as Given<Fields>;
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
export function parseAccepted<Fields extends object>(
  operation: string,
  schema: v.GenericSchema<unknown, Fields>,
  json: Json,
): Given<Fields> & Accepted {
  const code = v.safeParse(ReturnCodeSchema, json.returnCode);
  if (!code.success) throw badField(operation, 'returnCode');
  if (code.output !== '0') {
    // Public samples spell the provider's text in two other ways.
    const text = [json.returnText, json.returnTextSP, json.returnTextServiceProvider].find(
      (each): each is string => typeof each === 'string' && each !== '',
    );
    throw new DeclinedError(operation, code.output, text);
  }
  return { ...parseAnswer(operation, schema, json), returnCode: '0', raw: json };
}
