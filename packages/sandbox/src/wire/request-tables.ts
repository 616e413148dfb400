/** The request tables of the payment API, field by field. @see upstream API, section "Resources and their fields" */
import {
  absoluteUrl,
  amountDigits,
  anyText,
  calendarDate,
  currencyCode,
  digits,
  type FieldRule,
  freeText,
  MAX_LENGTH,
  oneOf,
  optional,
  required,
} from './field-rules.ts';

/** What the tables depend on beyond the specification. */
export interface TableSettings {
  readonly providerDirect: string;
  readonly providerHosted: string;
  readonly hotelIDType: string;
  readonly dateTime: FieldRule['objection'];
  /** Whether `tokenType` and `theme` may be anything, or only the values that the specification shows. */
  readonly acceptsAnyTheme: boolean;
  /** Reason why a string may not be stored as a reference, such as being a card number. */
  readonly referenceObjection: FieldRule['objection'];
}

/** One table per operation with a JSON body. */
export interface RequestTables {
  readonly login: Table<'username' | 'password'>;
  readonly createToken: Table<Hotel | 'cardNo' | 'valid' | 'cvc' | 'cardText'>;
  readonly pay: Table<Hotel | 'tokenNo' | 'amount' | 'currency' | 'text'>;
  readonly reversal: Table<Hotel | 'transactionID' | 'amount' | 'currency'>;
  readonly initpayNoIframe: Table<
    Hotel | Hosted | 'amount' | 'currency' | 'resNo' | 'description' | 'supportedFeatures'
  >;
  readonly initCreateTokenNoIframe: Table<Hotel | Hosted | 'tokenType' | 'theme'>;
}

type Table<Field extends string> = Readonly<Record<Field, FieldRule>>;
type Hotel = 'hotelID' | 'hotelIDType' | 'user' | 'datetime' | 'serviceProvider';
type Hosted = 'cardInfoRefID' | 'callbackSuccessUrl' | 'callbackAbortUrl';

export function createRequestTables(settings: TableSettings): RequestTables {
  const reference = required(settings.referenceObjection);
  const hotel = (...providers: readonly string[]): Table<Hotel> => ({
    hotelID: reference,
    hotelIDType: required(oneOf(settings.hotelIDType)),
    user: freeText({ isRequired: true }),
    datetime: required(settings.dateTime),
    serviceProvider: required(oneOf(...providers)),
  });
  const direct = hotel(settings.providerDirect);
  const hosted: Table<Hotel | Hosted> = {
    ...hotel(settings.providerHosted),
    cardInfoRefID: reference,
    callbackSuccessUrl: required(absoluteUrl, MAX_LENGTH.url),
    callbackAbortUrl: required(absoluteUrl, MAX_LENGTH.url),
  };
  const either = hotel(settings.providerDirect, settings.providerHosted);
  const money = { amount: required(amountDigits), currency: required(currencyCode) };
  const seen = (value: string): FieldRule => optional(settings.acceptsAnyTheme ? anyText : oneOf(value));

  return {
    login: { username: required(anyText), password: required(anyText) },
    createToken: {
      ...direct,
      cardNo: required(digits(12, 19)),
      valid: required(calendarDate),
      cvc: optional(digits(3, 4)),
      cardText: freeText(),
    },
    pay: { ...either, ...money, tokenNo: reference, text: freeText() },
    reversal: { ...either, ...money, transactionID: reference },
    initpayNoIframe: {
      ...hosted,
      ...money,
      resNo: reference,
      description: freeText(),
      supportedFeatures: optional(oneOf('surcharge')),
    },
    initCreateTokenNoIframe: { ...hosted, tokenType: seen('eCommerce'), theme: seen('bright') },
  };
}
