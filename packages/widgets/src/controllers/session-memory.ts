/**
 * What this device keeps of a session, so that its result survives a reload, Back and a second visit. Why so much and no
 * more: docs/decisions/0029.
 *
 * Of each session that was started here: what the proxy last said of it, from which entry of the tab's history it was
 * started, and the client secret for as long as there can be news, a day at most. Storage that throws (blocked cookies,
 * sandboxed frames) is survived: the page then needs a `client-secret` of its own.
 */
import type { CheckoutView } from '@innkeep/core/checkout';
import { inputOf } from '../state/pay-state.ts';
import { pageLoad } from './page-load.ts';

/** Enough to talk to the proxy about one session again. */
export interface RememberedSession {
  endpoint: string;
  clientSecret: string;
}

/** A session that the device knows: how to ask about it, and what was last heard. */
export interface KnownSession {
  session?: RememberedSession | undefined;
  view?: CheckoutView | undefined;
}

type MemoryHost = Element & { readonly clientSecret?: string | undefined; readonly hasUpdated?: boolean };

interface Kept {
  endpoint: string;
  clientSecret?: string | undefined;
  view?: CheckoutView | undefined;
  /** When it was started here, and from which element in which entry of the history. */
  at: number;
  from?: string | undefined;
}

const SECRET_MS = 86_400_000;
const RESULT_MS = 7 * SECRET_MS;
const PREFIX = 'innkeep:';

// What was started or taken up in this document is the business of the element that did it: the next one may be for another booking.
const owners = new Map<string, MemoryHost>();

/** Keeps one element's session, and finds the one that the guest has come back to. */
export class SessionMemory {
  readonly #host: MemoryHost;
  /** Into whose place it came: of who had the session that the guest has returned with. Else itself. */
  #before: MemoryHost | undefined;

  constructor(host: MemoryHost) {
    this.#host = host;
  }

  /** It is on the page. What is put there together stands side by side, and ids tell bookings apart. */
  arrive(): void {
    const host = this.#host;
    const id = returnedSessionId();
    // Of several on the page that the guest left and came back to, it is for the one that was clicked, unless that has another by now.
    if (!host.clientSecret && read(id)?.from?.endsWith(this.#place) && !owners.get(id)?.isConnected)
      owners.set(id, host);
    const owner = owners.get(id) ?? host;
    const isNext =
      owner.hasUpdated &&
      document.readyState !== 'loading' &&
      (owner.localName !== host.localName || owner.id === host.id);
    this.#before ??= isNext ? owner : host;
  }

  /**
   * Whether the session that the guest has returned with is another element's business: it goes to the first that connected, and after that
   * to one that came into its place. One that stood beside it is for another booking.
   */
  get isClaimed(): boolean {
    const host = this.#host;
    const owner = owners.get(returnedSessionId()) ?? host;
    return owner !== host && (owner.isConnected || this.#before !== owner);
  }

  /** The session to show, where this device knows better than the page: after a restart, a return, a reload or Back. */
  claim(endpoint: string | undefined, clientSecret: string | undefined): KnownSession | undefined {
    if (clientSecret) return { view: this.#known(sessionIdOf(clientSecret), endpoint)?.view };
    for (const id of [this.#started(), this.isClaimed ? '' : returnedSessionId()]) {
      const known = id && this.#known(id, endpoint);
      if (!known) continue;
      owners.set(id, this.#host);
      return known;
    }
    return undefined;
  }

  /** Before the guest leaves to pay: from here on the outcome can be found again. */
  remember(session: RememberedSession): void {
    this.forget();
    const id = sessionIdOf(session.clientSecret);
    owners.set(id, this.#host);
    write(id, { view: read(id)?.view, ...session, at: Date.now(), from: this.#from });
  }

  /** What the proxy says of a session that was started on this device. Once it is paid the secret is good for nothing. */
  keep(view: CheckoutView): void {
    const kept = read(view.id);
    if (kept) write(view.id, { ...kept, view, ...(view.status === 'succeeded' && { clientSecret: undefined }) });
  }

  /** This element begins anew: what was started from here is not to come back, or only what others are done with. */
  forget(others?: ReadonlyMap<string, unknown>): void {
    for (const id of keptIds()) {
      const kept = read(id);
      // Another tab may be paying what has no end yet.
      const isSpared = others && (others.has(id) || !kept?.view?.final);
      if (kept?.from === this.#from && !isSpared) write(id, { ...kept, from: undefined });
    }
  }

  #known(id: string, endpoint: string | undefined): KnownSession | undefined {
    const kept = read(id);
    if (!kept || (endpoint && bare(endpoint) !== bare(kept.endpoint))) return undefined;
    const { clientSecret, view } = kept;
    // Without a secret there is no more news: only a result says something then.
    if (!clientSecret) return view?.final ? { view } : undefined;
    return { session: { endpoint: kept.endpoint, clientSecret }, ...(view && inputOf(view) !== 'open' && { view }) };
  }

  /** After a reload or Back, the session that was last started from here, unless that is another element's business. */
  #started(): string | undefined {
    // Opened again, the address is for what comes next, and so is its reload: not every browser tells entries, or tabs, apart.
    if (pageLoad()?.type === 'navigate') return void this.forget(owners);
    return keptIds().find((id) => read(id)?.from === this.#from && (owners.get(id) ?? this.#host) === this.#host);
  }

  /** This element, in this entry of the history, where the browser tells entries apart, at the address that it has now: another may take its place. */
  get #from(): string {
    const { navigation } = window as { navigation?: { currentEntry?: { key?: string } | null } };
    return [navigation?.currentEntry?.key, location.search, this.#place].join(' ');
  }

  /** Where it stands, on which page. */
  get #place(): string {
    return `${location.pathname} ${placeOf(this.#host)}`;
  }
}

/**
 * Two bookings on one page are told apart by their place, or by the ids of their elements. Within a shadow root that is
 * their place in it, after that of its host.
 */
function placeOf(element: Element): string {
  const { localName, id } = element;
  // An element that is asked for its place is connected, so its root is the document or a shadow root.
  const root = element.getRootNode() as Document | ShadowRoot;
  const within = root instanceof ShadowRoot ? `${placeOf(root.host)} ` : '';
  return `${within}${localName} ${id || [...root.querySelectorAll(localName)].indexOf(element)}`;
}

/** An address as the client takes it. */
const bare = (address: string): string => address.replace(/\/{1,9}$/, '');

/** The id that a client secret begins with. */
function sessionIdOf(clientSecret: string): string {
  return clientSecret.split('_', 2).join('_');
}

/** The sessions that this device knows. */
function keptIds(): string[] {
  try {
    return Object.keys(localStorage).flatMap((key) => (key.startsWith(PREFIX) ? key.slice(PREFIX.length) : []));
  } catch {
    return [];
  }
}

/** What is kept of a session; what is too old, or damaged, is removed. */
function read(id: string): Kept | undefined {
  try {
    // Only this page's own origin writes here, and the client checks endpoint and secret before it uses them.
    const kept = JSON.parse(localStorage.getItem(PREFIX + id) as string) as Kept;
    const age = Date.now() - kept.at;
    if (age < (kept.view?.status === 'succeeded' ? RESULT_MS : SECRET_MS)) return kept;
  } catch {}
  try {
    localStorage.removeItem(PREFIX + id);
  } catch {}
  return undefined;
}

function write(id: string, kept: Kept): void {
  try {
    localStorage.setItem(PREFIX + id, JSON.stringify(kept));
  } catch {}
}

/** The session id that the proxy's return route added to this page's address. Nothing else in the address is read. */
export function returnedSessionId(): string {
  return /^cs_[\w-]{1,64}$/.exec(new URLSearchParams(location.search).get('checkout_session') as string)?.[0] ?? '';
}
