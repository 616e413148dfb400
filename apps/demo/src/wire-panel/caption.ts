/** What happens in an exchange, in one plain sentence. Sentences name amounts and states, never an id or a secret. */
import type { Facts } from './correlate.ts';
import type { Participant } from './exchange.ts';

interface Route {
  readonly to: Participant;
  readonly from?: Participant;
  readonly method?: string;
  readonly path: RegExp;
  readonly say: (facts: Facts) => string;
}

const ROUTES: readonly Route[] = [
  // The guest and the hotel's pages
  {
    to: 'hotel',
    from: 'proxy',
    path: /^/,
    say: (f) => `The proxy tells the hotel’s server${colon(text(f.requestFields, 'type'))}`,
  },
  { to: 'hotel', method: 'POST', path: /^\/bookings$/, say: () => 'The guest books a room' },
  { to: 'hotel', path: /^\/bookings\/\w+\/confirmation$/, say: () => 'The guest is back on the hotel’s page' },
  { to: 'hotel', method: 'POST', path: /^\/bookings\/\w+\/payment$/, say: () => 'The guest wants to try again' },
  {
    to: 'hotel',
    method: 'POST',
    path: /^\/bookings\/\w+\/link$/,
    say: () => 'The guest goes to the payment page without JavaScript',
  },
  {
    to: 'hotel',
    method: 'GET',
    path: /^\/bookings\/\w+$/,
    say: () => 'The browser loads the page with the payment widget',
  },
  { to: 'hotel', method: 'POST', path: /^\/desk\/.+\/charge$/, say: () => 'The front desk charges the stored card' },
  { to: 'hotel', method: 'POST', path: /^\/desk\/.+\/reverse$/, say: () => 'The front desk gives money back' },
  { to: 'hotel', method: 'POST', path: /^\/desk\/.+\/link$/, say: () => 'The front desk makes a payment link' },
  {
    to: 'hotel',
    method: 'POST',
    path: /^\/desk\/.+\/resolve$/,
    say: () => 'The front desk settles an unknown outcome',
  },
  { to: 'hotel', path: /^\/desk/, say: () => 'The front desk looks at its bookings' },
  { to: 'hotel', method: 'GET', path: /^\/$/, say: () => 'The guest opens the hotel’s page' },
  { to: 'hotel', method: 'GET', path: /^/, say: () => 'The browser loads a page of the hotel' },
  { to: 'hotel', path: /^/, say: () => 'The browser sends a form to the hotel’s server' },
  // The hotel's server and the proxy
  { to: 'proxy', method: 'POST', path: /^\/v1\/checkout-sessions$/, say: orderCaption },
  {
    to: 'proxy',
    method: 'POST',
    path: /^\/v1\/checkout-sessions\/\w+\/link$/,
    say: () => 'The hotel’s server asks for a payment link',
  },
  {
    to: 'proxy',
    method: 'POST',
    path: /^\/v1\/checkout-sessions\/\w+\/expire$/,
    say: () => 'The hotel’s server ends the payment session',
  },
  {
    to: 'proxy',
    method: 'POST',
    path: /^\/v1\/checkout-sessions\/\w+\/refresh$/,
    say: () => 'The hotel’s server asks the proxy to look again',
  },
  {
    to: 'proxy',
    method: 'POST',
    path: /^\/v1\/checkout-sessions\/\w+\/client-secret$/,
    say: () => 'The hotel’s server asks for another client secret',
  },
  {
    to: 'proxy',
    method: 'POST',
    path: /^\/v1\/.+\/resolve$/,
    say: () => 'The hotel’s server settles an unknown outcome',
  },
  {
    to: 'proxy',
    method: 'GET',
    path: /^\/v1\/checkout-sessions\/\w+$/,
    say: (f) => `The hotel’s server reads the payment${colon(status(f))}`,
  },
  {
    to: 'proxy',
    method: 'POST',
    path: /^\/v1\/charges$/,
    say: (f) => `The hotel’s server charges the stored card ${money(f.requestFields)}${colon(status(f))}`,
  },
  {
    to: 'proxy',
    method: 'GET',
    path: /^\/v1\/charges\/\w+$/,
    say: (f) => `The hotel’s server reads a charge${colon(status(f))}`,
  },
  {
    to: 'proxy',
    method: 'POST',
    path: /^\/v1\/reversals$/,
    say: (f) => `The hotel’s server gives ${money(f.requestFields) || 'all of it'} back${colon(status(f))}`,
  },
  {
    to: 'proxy',
    method: 'GET',
    path: /^\/v1\/reversals\/\w+$/,
    say: (f) => `The hotel’s server reads a reversal${colon(status(f))}`,
  },
  { to: 'proxy', method: 'POST', path: /^\/v1\/cards$/, say: () => 'The front desk’s card goes to the proxy' },
  {
    to: 'proxy',
    method: 'POST',
    path: /^\/v1\/gateway\//,
    say: () => 'The hotel’s server asks the gateway, through the proxy',
  },
  { to: 'proxy', path: /^\/v1\/events/, say: () => 'The hotel’s server reads the list of events' },
  {
    to: 'proxy',
    method: 'GET',
    path: /^\/v1\/(?:checkout-sessions|charges|reversals)$/,
    say: () => 'The hotel’s server reads a list',
  },
  // The guest and the proxy
  { to: 'proxy', method: 'OPTIONS', path: /^/, say: () => 'The browser asks whether this page may call the proxy' },
  {
    to: 'proxy',
    method: 'GET',
    path: /^\/v1\/checkout$/,
    say: (f) => `The widget asks how the payment stands${colon(status(f))}`,
  },
  {
    to: 'proxy',
    method: 'POST',
    path: /^\/v1\/checkout\/start$/,
    say: () => 'The guest clicks: the widget starts the payment',
  },
  { to: 'proxy', path: /^\/return\/.+\/success$/, say: () => 'The guest’s browser comes back from the payment page' },
  { to: 'proxy', path: /^\/return\/.+\/abort$/, say: () => 'The guest’s browser comes back: payment canceled' },
  { to: 'proxy', path: /^\/pay\/.+\/qr\.svg$/, say: () => 'The proxy draws the QR code of a payment link' },
  { to: 'proxy', method: 'POST', path: /^\/pay\//, say: () => 'The guest starts the payment of a link' },
  { to: 'proxy', path: /^\/pay\//, say: () => 'The guest opens a payment link' },
  // The proxy and the upstream
  { to: 'upstream', from: 'proxy', path: /\/login$/, say: () => 'The proxy logs in upstream' },
  {
    to: 'upstream',
    path: /\/initpayNoIframe$/,
    say: (f) => `The proxy opens a payment page for ${upstreamMoney(f.requestFields)}`,
  },
  { to: 'upstream', path: /\/initCreateTokenNoIframe$/, say: () => 'The proxy opens a page for storing a card' },
  {
    to: 'upstream',
    path: /\/paystatus$/,
    say: (f) => `The proxy asks for the state${colon(upstreamState(f.answerFields))}`,
  },
  { to: 'upstream', path: /\/transaction$/, say: () => 'The proxy reads the record and compares it with the order' },
  {
    to: 'upstream',
    path: /\/pay$/,
    say: (f) =>
      `The proxy charges the stored card ${upstreamMoney(f.requestFields)}${colon(returnCode(f.answerFields))}`,
  },
  {
    to: 'upstream',
    path: /\/reversal$/,
    say: (f) => `The proxy gives ${upstreamMoney(f.requestFields)} back${colon(returnCode(f.answerFields))}`,
  },
  { to: 'upstream', path: /\/createToken$/, say: () => 'The proxy stores a card' },
  { to: 'upstream', path: /\/API\//, say: () => 'The proxy adds the gateway key and asks the gateway' },
  { to: 'upstream', from: 'browser', method: 'POST', path: /\/hosted\//, say: hostedActionCaption },
  { to: 'upstream', from: 'browser', path: /\/hosted\//, say: () => 'The guest’s browser leaves for the payment page' },
];

/** The sentence for an exchange. An answer that failed says so at its end. */
export function captionOf(facts: Facts, way: { readonly from: Participant; readonly to: Participant }): string {
  const { pathname } = facts.url;
  const route = ROUTES.find(
    ({ to, from, method, path }) =>
      to === way.to &&
      (from ?? way.from) === way.from &&
      (method ?? facts.method) === facts.method &&
      path.test(pathname),
  );
  const sentence = route?.say(facts) ?? `A request from the ${way.from} to the ${way.to}`;
  return facts.status !== undefined && facts.status >= 400 ? `${sentence} — refused` : sentence;
}

function orderCaption({ requestFields }: Facts): string {
  return text(requestFields, 'kind') === 'card'
    ? 'The hotel’s server asks for a card as a guarantee'
    : `The hotel’s server orders ${money(requestFields)}`;
}

function hostedActionCaption({ requestFields }: Facts): string {
  switch (text(requestFields, 'action')) {
    case 'cancel':
      return 'The guest cancels on the payment page';
    case 'decline':
      return 'The payment page declines the card';
    default:
      return 'The guest sends the card to the payment service, and to nobody else';
  }
}

function status({ answerFields }: Facts): string {
  return text(answerFields, 'status');
}

function colon(word: string): string {
  return word === '' ? '' : `: ${word}`;
}

/** A short word from a field. Anything longer, or with anything but letters, dots and lines in it, is not shown. */
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
