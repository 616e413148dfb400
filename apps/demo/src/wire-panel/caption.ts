/** What happens in an exchange, in one plain sentence. Sentences name amounts and states, never an id or a secret. */
import type { ExchangeDetails } from './correlate.ts';
import type { Participant, Server } from './exchange.ts';

// By the server that is asked: method and path, and what that request means. The first match wins.
const CAPTIONS: Readonly<
  Record<Server, readonly (readonly [RegExp, string | ((details: ExchangeDetails) => string)])[]>
> = {
  hotel: [
    [/^\w+ \/webhooks\//, (f) => `The proxy tells the hotel’s server${colon(text(f.requestFields, 'type'))}`],
    [/^POST \/bookings$/, 'The guest books a room'],
    [/^\w+ \/bookings\/\w+\/confirmation$/, 'The guest is back on the hotel’s page'],
    [/^POST \/bookings\/\w+\/link$/, 'The guest goes to the payment page without JavaScript'],
    [/^GET \/bookings\/\w+$/, 'The browser loads the page with the payment widget'],
    [/^POST \/desk\/.+\/charge$/, 'The front desk charges the stored card'],
    [/^POST \/desk\/.+\/reverse$/, 'The front desk gives money back'],
    [/^POST \/desk\/.+\/link$/, 'The front desk makes a payment link'],
    [/^POST \/desk\/.+\/resolve$/, 'The front desk settles an unknown outcome'],
    [/^\w+ \/desk/, 'The front desk looks at its bookings'],
    [/^GET \/$/, 'The guest opens the hotel’s page'],
    [/^GET /, 'The browser loads a page of the hotel'],
    [/^/, 'The browser sends a form to the hotel’s server'],
  ],
  proxy: [
    [/^PUT \/v1\/checkout-sessions\/by-key\/[\w:-]+$/, orderCaption],
    [/^POST \/v1\/checkout-sessions\/\w+\/link$/, 'The hotel’s server asks for a payment link'],
    [/^POST \/v1\/checkout-sessions\/\w+\/expire$/, 'The hotel’s server ends the payment session'],
    [/^POST \/v1\/checkout-sessions\/\w+\/refresh$/, 'The hotel’s server asks the proxy to look again'],
    [/^POST \/v1\/.+\/resolve$/, 'The hotel’s server settles an unknown outcome'],
    [/^GET \/v1\/checkout-sessions\/\w+$/, (f) => `The hotel’s server reads the payment${colon(status(f))}`],
    [
      /^POST \/v1\/charges$/,
      (f) => `The hotel’s server charges the stored card ${money(f.requestFields)}${colon(status(f))}`,
    ],
    [/^GET \/v1\/charges\/\w+$/, (f) => `The hotel’s server reads a charge${colon(status(f))}`],
    [
      /^POST \/v1\/reversals$/,
      (f) => `The hotel’s server gives ${money(f.requestFields) || 'all of it'} back${colon(status(f))}`,
    ],
    [/^GET \/v1\/reversals\/\w+$/, (f) => `The hotel’s server reads a reversal${colon(status(f))}`],
    [/^POST \/v1\/cards$/, 'The front desk’s card goes to the proxy'],
    [/^POST \/v1\/gateway\//, 'The hotel’s server asks the gateway, through the proxy'],
    [/^\w+ \/v1\/events/, 'The hotel’s server reads the list of events'],
    [/^GET \/v1\/(?:checkout-sessions|charges|reversals)$/, 'The hotel’s server reads a list'],
    [/^OPTIONS /, 'The browser asks whether this page may call the proxy'],
    [/^GET \/v1\/checkout$/, (f) => `The widget asks for the payment’s status${colon(status(f))}`],
    [/^POST \/v1\/checkout\/start$/, 'The guest clicks: the widget starts the payment'],
    [/^POST \/return\/.+\/start$/, 'The guest tries again from the proxy’s page'],
    [/^\w+ \/return\/.+\/success$/, 'The guest’s browser comes back from the payment page'],
    [/^\w+ \/return\/.+\/abort$/, 'The guest’s browser comes back without a payment'],
    [/^\w+ \/pay\/.+\/qr\.svg$/, 'The proxy draws the QR code of a payment link'],
    [/^POST \/pay\//, 'The guest starts the payment of a link'],
    [/^\w+ \/pay\//, 'The guest opens a payment link'],
  ],
  upstream: [
    [/\/login$/, 'The proxy logs in upstream'],
    [/\/initpayNoIframe$/, (f) => `The proxy opens a payment page for ${upstreamMoney(f.requestFields)}`],
    [/\/initCreateTokenNoIframe$/, 'The proxy opens a page for storing a card'],
    [/\/paystatus$/, (f) => `The proxy asks for the state${colon(upstreamState(f.answerFields))}`],
    [/\/transaction$/, 'The proxy reads the record and compares it with the order'],
    [
      /\/pay$/,
      (f) => `The proxy charges the stored card ${upstreamMoney(f.requestFields)}${colon(returnCode(f.answerFields))}`,
    ],
    [
      /\/reversal$/,
      (f) => `The proxy gives ${upstreamMoney(f.requestFields)} back${colon(returnCode(f.answerFields))}`,
    ],
    [/\/createToken$/, 'The proxy stores a card'],
    [/\/API\//, 'The proxy adds the gateway key and asks the gateway'],
    [/^POST .*\/hosted\//, hostedActionCaption],
    [/\/hosted\//, 'The guest’s browser goes to the payment page'],
  ],
};

/** The sentence for an exchange. An answer that failed says so at its end. */
export function captionOf(
  details: ExchangeDetails,
  { from, to }: { readonly from: Participant; readonly to: Server },
): string {
  const request = `${details.method} ${details.url.pathname}`;
  const [, say] = CAPTIONS[to].find(([pattern]) => pattern.test(request)) ?? [];
  const sentence = typeof say === 'function' ? say(details) : (say ?? `A request from the ${from} to the ${to}`);
  return details.status !== undefined && details.status >= 400 ? `${sentence} — refused` : sentence;
}

function orderCaption(details: ExchangeDetails): string {
  const { requestFields } = details;
  if (details.status === 200) return `The hotel’s server finds the booking’s payment${colon(status(details))}`;
  return text(requestFields, 'kind') === 'card'
    ? 'The hotel’s server asks for a card as a guarantee'
    : `The hotel’s server orders ${money(requestFields)}`;
}

function hostedActionCaption({ requestFields }: ExchangeDetails): string {
  switch (text(requestFields, 'action')) {
    case 'cancel':
      return 'The guest cancels on the payment page';
    case 'decline':
      return 'The payment page declines the card';
    default:
      return 'The guest sends the card to the payment service, and to nobody else';
  }
}

function status({ answerFields }: ExchangeDetails): string {
  return text(answerFields, 'status');
}

function colon(word: string): string {
  return word === '' ? '' : `: ${word}`;
}

/** A short word from a field. Anything longer, or with other characters than letters, dots and underscores, is not shown. */
function text(fields: unknown, name: string): string {
  const value = field(fields, name);
  return typeof value === 'string' && /^[a-z][a-z._]{0,40}$/i.test(value) ? value : '';
}

function field(fields: unknown, name: string): unknown {
  return typeof fields === 'object' && fields !== null ? Reflect.get(fields, name) : undefined;
}

function money(fields: unknown): string {
  const amount = field(fields, 'amount');
  return formatMinor(field(amount, 'value'), field(amount, 'currency'));
}

function upstreamMoney(fields: unknown): string {
  return formatMinor(Number(field(fields, 'amount')), field(fields, 'currency') ?? 'EUR');
}

function formatMinor(value: unknown, currency: unknown): string {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return '';
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return '';
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(value / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

function upstreamState(fields: unknown): string {
  const state = field(fields, 'state');
  return ['not yet', 'done', 'failed'][Number(state ?? Number.NaN)] ?? '';
}

function returnCode(fields: unknown): string {
  const code = field(fields, 'returnCode');
  if (code === undefined) return '';
  return String(code) === '0' ? 'done' : 'declined';
}
