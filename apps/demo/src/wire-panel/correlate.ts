/** Finds the ids that a message mentions, so that the requests of one payment can be told from those of another. */

/** What a recording knows of an exchange, in clear. Never stored. */
export interface ExchangeDetails {
  readonly method: string;
  readonly url: URL;
  readonly requestHeaders: Headers;
  /** The request's body as JSON or as a form; undefined when it is neither. */
  readonly requestFields: unknown;
  readonly status?: number;
  readonly location?: string | null;
  /** The answer's body as JSON; undefined when it is not. */
  readonly answerFields?: unknown;
}

const IDS: readonly RegExp[] = [/\b(?:cs|ch|rv)_[0-9A-HJKMNP-TV-Z]{26}/g, /\bRES-[0-9A-HJKMNP-TV-Z]{6}\b/g];
const BOOKING = /\/(?:bookings|desk)\/([0-9A-HJKMNP-TV-Z]{20})\b/g;
const NAMED_IDS: Readonly<Record<string, string>> = {
  requestid: 'request',
  transactionid: 'transaction',
};

/** The ids, each once. Those in the answer of a list are left out: a list mentions everything. */
export function idsIn(details: ExchangeDetails): string[] {
  const { url, requestHeaders, requestFields, location, answerFields } = details;
  const ids = new Set<string>();
  addFromText(
    ids,
    `${url.pathname}${decodeOrKeep(url.search)} ${requestHeaders.get('authorization') ?? ''} ${location ?? ''}`,
  );
  addFromFields(ids, Object.fromEntries(url.searchParams));
  addFromFields(ids, hostedPageOf(url));
  addFromFields(ids, requestFields);
  if (!isList(answerFields)) addFromFields(ids, answerFields);
  return [...ids];
}

function addFromText(ids: Set<string>, text: string): void {
  for (const pattern of IDS) for (const [id] of text.matchAll(pattern)) ids.add(id);
  for (const [, id = ''] of text.matchAll(BOOKING)) ids.add(`booking:${id}`);
}

function addFromFields(ids: Set<string>, value: unknown): void {
  if (typeof value === 'string') addFromText(ids, value);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const kind = NAMED_IDS[name.toLowerCase()];
    if (kind !== undefined && typeof inner === 'string' && inner !== '') ids.add(`${kind}:${inner}`);
    addFromFields(ids, inner);
  }
}

/** The parameter of a hosted page, which the payment service may write in any way; ours can be read. */
function hostedPageOf(url: URL): unknown {
  try {
    return JSON.parse(atob(url.searchParams.get('PD') ?? ''));
  } catch {
    return undefined;
  }
}

function isList(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'object' in value && value.object === 'list';
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
