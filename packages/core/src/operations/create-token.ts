/**
 * `createToken`: turn a card keyed by staff into a stored-card token.
 *
 * Takes card data. Never import it into a page, or into a server that is not meant to see card numbers.
 *
 * Import path: `@innkeep/core/operations/create-token`.
 *
 * @see upstream API, sections "Card token request" and "Card token response"
 * @module
 */
import * as v from 'valibot';
import type { CallOptions, Context } from '../context.ts';
import { InvalidInputError } from '../errors.ts';
import { type CommonOverrides, commonFields, post } from '../operation-request.ts';
import { type Accepted, type Given, parseAccepted } from '../schemas/parse-answer.ts';
import { AnyTextSchema, IdSchema, isName, LenientTextSchema } from '../schemas/text.ts';
import { optionalText, requireObject } from '../values/check-text.ts';
import { isDate } from '../values/local-date-time.ts';

/** Input of {@link createToken}. */
export interface CreateTokenInput extends CommonOverrides {
  /** Card number, 12 to 19 digits without spaces. */
  cardNo: string;
  /** Expiry as a date `YYYY-MM-DD`, usually the last day of the month. */
  valid: string;
  /** Card verification code, 3 or 4 digits. Left out of the request when absent. */
  cvc?: string | undefined;
  /** Cardholder text. @default '' */
  cardText?: string | undefined;
}

const CreateTokenAnswerSchema = v.object({
  /** The token for `pay`. Treat it, and `raw`, like a password. */
  tokenNo: IdSchema,
  /** Date; `''` when the upstream sent none. */
  tokenExpiry: AnyTextSchema,
  /** Numeric code as text. */
  cardType: AnyTextSchema,
  /** Textual brand code. */
  cardTypeCode: AnyTextSchema,
  /** Masked card number. */
  cardNo: AnyTextSchema,
  /** Id of the tokenization. */
  transactionID: AnyTextSchema,
  /** Provider that made the token; `pay` needs the same. */
  serviceProvider: LenientTextSchema,
});

/** A stored-card token. @interface */
export type CreateTokenResult = Required<Given<v.InferOutput<typeof CreateTokenAnswerSchema>>> & Accepted;

/**
 * Makes a stored-card token from card details.
 *
 * Retry: never; card data lives for one request only.
 *
 * @throws `declined` with the returnCode; `outcome_unknown` for anything short of a clear answer, a refusal in doubt
 * included (a token may exist); `network`, `authentication_failed` and `upstream_status` (403) only when nothing was
 * executed; `invalid_input`; `configuration` in a page
 */
export async function createToken(
  context: Context,
  input: CreateTokenInput,
  options: CallOptions = {},
): Promise<CreateTokenResult> {
  const { cardNo, valid, cvc } = requireObject(input);
  requireForm(cardNo, /^\d{12,19}$/, 'cardNo', 'must be 12 to 19 digits without spaces');
  if (typeof valid !== 'string' || !isDate(valid))
    throw new InvalidInputError('valid', 'valid must be a date YYYY-MM-DD.');
  if (cvc !== undefined) requireForm(cvc, /^\d{3,4}$/, 'cvc', 'must be 3 or 4 digits');
  const secrets = [cardNo, ...(cvc === undefined ? [] : [cvc])];
  const fields = commonFields(context, 'direct', input);
  return post(context, 'createToken', {
    class: 'money',
    body: {
      cardNo,
      valid,
      ...(cvc !== undefined && { cvc }),
      ...fields,
      cardText: optionalText(input.cardText, 'cardText'),
    },
    parse: (json) => {
      const answer = parseAccepted('createToken', CreateTokenAnswerSchema, json);
      const { serviceProvider } = answer;
      return { ...answer, serviceProvider: isName(serviceProvider) ? serviceProvider : fields.serviceProvider };
    },
    secrets,
    options,
  });
}

function requireForm(value: unknown, form: RegExp, path: string, what: string): void {
  if (typeof value !== 'string' || !form.test(value)) throw new InvalidInputError(path, `${path} ${what}.`);
}
