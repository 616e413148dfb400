import type { Context } from './context.ts';
import { InvalidInputError } from './errors.ts';
import type { HostedRequest } from './hosted/hosted-request.ts';
import { type InitResult, parseInitAnswer } from './hosted/init-answer.ts';
import { type Call, type CallOptions, send } from './transport/send.ts';
import { requireText, requireWebAddress } from './values/check-text.ts';
import { isLocalDateTime, toLocalDateTime } from './values/local-date-time.ts';

/** Fields that the context fills and a call may override. */
export interface CommonOverrides {
  /** Id of the hotel in its property-management system. @default the context's hotel */
  hotelID?: string | undefined;
  /** Kind of property-management system. @default the context's hotel */
  hotelIDType?: string | undefined;
  /** Operator name that the payment service records. @default the context's hotel */
  user?: string | undefined;
  /** Hotel-local date-time `YYYY-MM-DDTHH:MM:SS`. @default now */
  datetime?: string | undefined;
  /** Provider, as the vendor named it. @default the context's provider for this flow */
  serviceProvider?: string | undefined;
}

/** The same fields as they go over the wire. */
export type CommonFields = { [Field in keyof CommonOverrides]-?: string };

/** Fills what the caller did not give. @throws `invalid_input` naming the field */
export function commonFields(context: Context, flow: 'direct' | 'hosted', input: CommonOverrides): CommonFields {
  const { hotel } = context;
  const datetime = input.datetime ?? toLocalDateTime(context.now(), hotel.timeZone);
  if (!isLocalDateTime(datetime)) {
    throw new InvalidInputError('datetime', 'datetime must be a local date-time such as 2026-03-29T14:00:00.');
  }
  return {
    hotelID: requireText(input.hotelID ?? hotel.hotelID, 'hotelID'),
    hotelIDType: requireText(input.hotelIDType ?? hotel.hotelIDType, 'hotelIDType'),
    user: requireText(input.user ?? hotel.user, 'user'),
    datetime,
    serviceProvider: requireText(input.serviceProvider ?? context.providers[flow], 'serviceProvider'),
  };
}

/** Input of both inits. */
export interface InitInput extends CommonOverrides {
  /** Caller's reference; the record repeats it. */
  cardInfoRefID: string;
  /** Absolute address for the success outcome. A visit there proves nothing. */
  callbackSuccessUrl: string | URL;
  /** Absolute address for the abort outcome. A visit there proves nothing. */
  callbackAbortUrl: string | URL;
}

/** Posts an init; `fields` are the ones that the other init lacks. @throws `invalid_input` naming the field */
export async function postInit(
  context: Context,
  input: InitInput,
  { asked, fields, options }: { asked: Omit<HostedRequest, 'cardInfoRefID'>; fields: object; options: CallOptions },
): Promise<InitResult> {
  const cardInfoRefID = requireText(input.cardInfoRefID, 'cardInfoRefID');
  const common = commonFields(context, 'hosted', input);
  const callbacks = {
    callbackSuccessUrl: requireWebAddress(input.callbackSuccessUrl, 'callbackSuccessUrl'),
    callbackAbortUrl: requireWebAddress(input.callbackAbortUrl, 'callbackAbortUrl'),
  };
  const { serviceProvider } = common;
  return post(context, asked.operation, {
    class: 'prepare',
    body: { ...common, cardInfoRefID, ...callbacks, ...fields },
    parse: (json) => parseInitAnswer(context, json, { request: { ...asked, cardInfoRefID }, serviceProvider }),
    // Callback addresses usually carry a nonce of the caller's.
    secrets: Object.values(callbacks),
    options,
  });
}

/** Which hosted request is meant. */
export interface HostedRequestInput {
  /** Id of the hosted request, from its init. */
  requestID: string;
  /** @default the context's hosted provider */
  serviceProvider?: string | undefined;
}

/** Address for reading a hosted request. @throws `invalid_input` naming the field */
export function hostedRequestUrl(
  context: Context,
  operation: string,
  { requestID, serviceProvider = context.providers.hosted, version }: HostedRequestInput & { version?: 'V2' | 'none' },
): string {
  const query = new URLSearchParams({
    requestid: requireText(requestID, 'requestID'),
    serviceProvider: requireText(serviceProvider, 'serviceProvider'),
  });
  return `${operationUrl(context, operation, version)}?${query}`;
}

/** Address of an operation: `{base_url}/V2/<customer_id>/<operation>`, or without `V2`. */
function operationUrl({ baseUrl, customerId }: Context, operation: string, version: 'V2' | 'none' = 'V2'): string {
  return `${baseUrl}${version === 'V2' ? '/V2' : ''}/${encodeURIComponent(customerId)}/${operation}`;
}

/** Posts the body of an operation. */
export function post<Result>(
  context: Context,
  operation: string,
  call: Omit<Call<Result>, 'operation' | 'url'>,
): Promise<Result> {
  return send(context, { operation, url: operationUrl(context, operation), ...call });
}
