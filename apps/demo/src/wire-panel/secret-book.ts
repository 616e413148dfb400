/** The secrets of the demo, by name: which text to cut out, and which bytes to look for in what a browser received. */

/** What must never reach a browser. The panel reports on each of them. */
export const CREDENTIALS = [
  'upstream user',
  'upstream password',
  'bearer token',
  'gateway key',
  'merchant key',
  'webhook secret',
  'stored-card token',
] as const;

/** One of {@link CREDENTIALS}. */
export type CredentialName = (typeof CREDENTIALS)[number];

/** The secrets that the demo was started with; of some there is more than one. */
export type ConfiguredSecrets = Partial<Readonly<Record<CredentialName, string | readonly string[]>>>;

/** Where a secret stands in a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

// A shorter value occurs by chance. It is then only hidden where a field or header is named after it.
const SHORTEST_VALUE = 8;
const MOST_LEARNED = 200;

interface Known {
  readonly name: CredentialName;
  readonly forms: readonly string[];
}

/** Knows every secret by name and in every form in which it can stand in a message. Learns new ones as they appear. */
export class SecretBook {
  readonly #configured = new Map<string, Known>();
  /** Bearer tokens and the like, oldest first: a demo that runs for weeks sees many. */
  readonly #learned = new Map<string, Known>();

  constructor(secrets: ConfiguredSecrets = {}) {
    for (const name of CREDENTIALS) {
      for (const value of [secrets[name] ?? []].flat()) {
        if (isSearchable(value)) this.#configured.set(value, { name, forms: formsOf(value) });
      }
    }
  }

  /** Adds a secret that appeared on the wire. Values too short to be told from chance are left out. */
  learn(name: CredentialName, value: string): void {
    if (!isSearchable(value) || this.#configured.has(value) || this.#learned.has(value)) return;
    this.#learned.set(value, { name, forms: formsOf(value) });
    const [oldest] = this.#learned.keys();
    if (this.#learned.size > MOST_LEARNED && oldest !== undefined) this.#learned.delete(oldest);
  }

  /** Names of which at least one value is known, so that a search for it means something. */
  names(): CredentialName[] {
    const known = new Set(this.#all().map(({ name }) => name));
    return CREDENTIALS.filter((name) => known.has(name));
  }

  /** Every place where a known secret stands, in any form. */
  spansIn(text: string): Span[] {
    const spans: Span[] = [];
    for (const { name, forms } of this.#all()) {
      for (const form of forms) {
        for (let start = text.indexOf(form); start !== -1; start = text.indexOf(form, start + 1)) {
          spans.push({ start, end: start + form.length, name });
        }
      }
    }
    return spans;
  }

  /** Names of the secrets that stand in these bytes. */
  namesIn(bytes: Uint8Array): CredentialName[] {
    const text = bytesToText(bytes);
    const found = this.#all().filter(({ forms }) => forms.some((form) => text.includes(form)));
    return CREDENTIALS.filter((name) => found.some((known) => known.name === name));
  }

  #all(): Known[] {
    return [...this.#configured.values(), ...this.#learned.values()];
  }
}

function isSearchable(value: string): boolean {
  return value.length >= SHORTEST_VALUE;
}

/** A value as it is, as addresses, forms, JSON and XML write it, and inside base64 at each of its three alignments. */
function formsOf(value: string): string[] {
  const percent = encodeURIComponent(value);
  const forms = [
    value,
    percent,
    percent.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
    new URLSearchParams({ v: value }).toString().slice('v='.length),
    JSON.stringify(value).slice(1, -1),
    JSON.stringify(value).slice(1, -1).replaceAll('/', '\\/'),
    ...["'", '&#39;', '&#x27;', '&apos;'].flatMap((apostrophe) =>
      ['"', '&quot;'].map((quote) => escapeMarkup(value, { apostrophe, quote })),
    ),
    ...base64Forms(value),
  ];
  // Headers and searched bytes are read one character per byte.
  return [...new Set(forms.flatMap((form) => [form, bytesToText(new TextEncoder().encode(form))]))];
}

function escapeMarkup(value: string, { apostrophe, quote }: { apostrophe: string; quote: string }): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', quote)
    .replaceAll("'", apostrophe);
}

// Six bits per character: what stands before the value decides its first character or two, what follows its last one.
function base64Forms(value: string): string[] {
  const bytes = new TextEncoder().encode(value);
  return [0, 1, 2].flatMap((offset) => {
    const padded = new Uint8Array(offset + bytes.length);
    padded.set(bytes, offset);
    const firstWhole = [0, 2, 3][offset] ?? 0;
    const form = btoa(bytesToText(padded)).slice(firstWhole, Math.floor((padded.length * 8) / 6));
    return [form, form.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Each byte as the character of the same number: text that can be searched without decoding anything wrongly. */
function bytesToText(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += 8_192) {
    text += String.fromCharCode(...bytes.subarray(start, start + 8_192));
  }
  return text;
}
