/**
 * What must survive the trip to the hosted page and back in the same tab.
 *
 * Session storage belongs to one tab and one origin, which is exactly as far as a client secret may go. Storage that
 * throws (blocked cookies, sandboxed frames) is survived: the page then needs a `client-secret` of its own.
 */
import type { ReactiveController, ReactiveControllerHost } from '#lit';

/** Enough to talk to the proxy about one session again. */
export interface RememberedSession {
  endpoint: string;
  clientSecret: string;
}

const keyOf = (id: string): string => `innkeep:${id}`;

// A returned session belongs to one element without a secret of its own: the first that connected.
const claims = new Map<string, SessionMemory>();

/** Keeps one element's session for the return page, and finds the one that the guest has returned with. */
export class SessionMemory implements ReactiveController {
  constructor(host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostDisconnected(): void {
    for (const [id, owner] of claims) if (owner === this) claims.delete(id);
  }

  /** Whether an element of this page has the session that the guest has returned with. */
  get isClaimed(): boolean {
    return claims.has(returnedSessionId() ?? '');
  }

  /** The session that the guest has returned with, when it belongs to `endpoint` and no other element was first. */
  claim(endpoint: string | undefined): RememberedSession | undefined {
    const id = returnedSessionId();
    if (!id || (claims.get(id) ?? this) !== this) return undefined;
    const session = recall(id);
    if (!session || (endpoint || session.endpoint) !== session.endpoint) return undefined;
    claims.set(id, this);
    return session;
  }

  remember(id: string, session: RememberedSession): void {
    try {
      sessionStorage.setItem(keyOf(id), JSON.stringify(session));
    } catch {}
  }

  /** Drops the session: its outcome is known. */
  forget(id: string): void {
    try {
      sessionStorage.removeItem(keyOf(id));
    } catch {}
  }
}

function recall(id: string): RememberedSession | undefined {
  try {
    // Only this page's own origin writes here, and the client checks both before it uses them.
    return JSON.parse(sessionStorage.getItem(keyOf(id)) ?? '') as RememberedSession;
  } catch {
    return undefined;
  }
}

/** The session id that the proxy's return route added to this page's address. Nothing else in the address is read. */
export function returnedSessionId(): string | undefined {
  return /^cs_[\w-]{1,64}$/.exec(new URLSearchParams(location.search).get('checkout_session') ?? '')?.[0];
}
