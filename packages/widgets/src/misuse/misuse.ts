/**
 * What a page does wrong, told to its developer: one line on the console for each cause, with what to do. Never a secret, and of the
 * page's values only origins and the names of attributes.
 */

const MORE = 'https://www.npmjs.com/package/@innkeep/widgets#troubleshooting';
const PROBE_TIMEOUT_MS = 5000;

/** For a second copy of the script. */
export const TWICE = 'is defined twice. Load the script once.';

// Shared with a second copy of this file on the page.
const shared: { [key: symbol]: Set<string> | undefined } = globalThis;
const KEY = Symbol.for('innkeep.told');
shared[KEY] ??= new Set<string>();
const told = shared[KEY];

/** Origins that the page's own policy has blocked. */
const blocked = new Set<string>();

/** Writes one line about an element (or the name of one), unless it has been written before. */
export function tellDeveloper(subject: Element | string, message: string): void {
  const name = typeof subject === 'string' ? subject : subject.localName + (subject.id && `#${subject.id}`);
  const line = `<${name}> ${message} More: ${MORE}`;
  if (told.has(line)) return;
  told.add(line);
  console.error(line);
}

/** Remembers what the page's policy blocks, and explains what no element lives to explain: Lit without its policy. */
export function watchPolicy(): void {
  // There is none on a server. On the window: an <img name="addEventListener"> takes the document's own away.
  if (!globalThis.document) return;
  addEventListener('securitypolicyviolation', ({ blockedURI, effectiveDirective, sample, originalPolicy }) => {
    if (URL.canParse(blockedURI)) blocked.add(new URL(blockedURI).origin);
    if (effectiveDirective === 'trusted-types' && sample.startsWith('lit-html')) {
      const isSecond = /trusted-types[^;]* lit-html/.test(originalPolicy);
      const more = isSecond ? " 'allow-duplicates'`: Lit is loaded twice" : '`';
      tellDeveloper(
        'pay-widget',
        `or another element cannot be drawn: the page’s policy lacks \`trusted-types lit-html${more}.`,
      );
    }
  });
}

const OTHER_NAMES: Readonly<Record<string, string>> = {
  url: 'endpoint',
  api: 'endpoint',
  secret: 'client-secret',
  language: 'locale',
};
const PROPERTIES: Readonly<Record<string, string>> = { getclientsecret: 'getClientSecret', messages: 'messages' };
const VALUES: Readonly<Record<string, RegExp>> = {
  presentation: /^(auto|redirect|tab)$/,
  theme: /^(auto|light|dark|system)$/,
  locale: /^[a-z]{2,3}([-_][a-z\d]+)*$/i,
};

/** Looks for attributes that the element does not have, and for values that mean nothing. */
export function checkAttributes(element: Element, attributes: readonly string[]): void {
  for (const name of element.getAttributeNames()) {
    const bare = name.replace(/[^a-z]/g, '');
    const property = PROPERTIES[bare];
    if (property) {
      tellDeveloper(
        element,
        `has \`${property}\` as an attribute. It is a property: set it in a script (React 18: by a ref).`,
      );
    } else if (attributes.includes(name)) {
      const isKnown = VALUES[name]?.test(element.getAttribute(name) ?? '') ?? true;
      if (!isKnown) tellDeveloper(element, `has a \`${name}\` that means nothing; the default is used.`);
    } else {
      const meant = attributes.find((each) => distance(bare, each.replaceAll('-', '')) < 3) ?? OTHER_NAMES[bare];
      if (meant) tellDeveloper(element, `has an attribute \`${name}\`. Did you mean \`${meant}\`?`);
    }
  }
}

/** Finds out why the proxy cannot be reached, as far as a page can know. */
export async function explainNetwork(
  element: Element & { readonly checkout?: unknown },
  endpoint: string,
): Promise<void> {
  const { origin, protocol, hostname } = new URL(endpoint);
  if (location.protocol === 'https:' && protocol === 'http:' && !/^(localhost|127\..*|\[::1\])$/.test(hostname)) {
    tellDeveloper(element, `cannot reach ${origin}: a page over https may not call http. Serve it over https.`);
    return;
  }
  // An answer that the page may not read says at least that somebody is there.
  const isThere = await fetch(`${endpoint.replace(/\/{1,9}$/, '')}/healthz`, {
    mode: 'no-cors',
    credentials: 'omit',
    signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
  }).catch(() => null);
  // The report of a blocked call comes a moment after the call has failed.
  await new Promise((resolve) => setTimeout(resolve, 100));
  if (blocked.has(origin)) {
    tellDeveloper(element, `may not call ${origin}: add it to \`connect-src\` of the page’s policy.`);
  } else if (isThere) {
    // Whose answers this page has read refuses no origin: a call was lost.
    if (element.checkout) return;
    const twin = /^(localhost|127\.0\.0\.1)$/.test(location.hostname)
      ? ' (localhost and 127.0.0.1 are two origins)'
      : '';
    tellDeveloper(
      element,
      // On another path the proxy grants no preflight, which a page cannot tell from an origin that is refused.
      `is refused by ${origin}: add ${location.origin} to the \`origins\` of the property${twin}. Check host, port and path of the endpoint.`,
    );
  } else {
    tellDeveloper(element, `cannot reach ${origin}: nothing answers there. Does it run, over http or https?`);
  }
}

/** Letters to add, drop or change to make one word of another (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, nth) => nth);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [nth, wanted] of [...other].entries()) {
      next.push(Math.min((row[nth] ?? 0) + Number(letter !== wanted), (row[nth + 1] ?? 0) + 1, (next[nth] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
