/**
 * What must survive the trip to the hosted page and back in the same tab.
 *
 * Session storage belongs to one tab and one origin, which is exactly as far as a client secret may go. Storage that
 * throws (blocked cookies, sandboxed frames) is survived: the page then needs a `client-secret` of its own.
 */

/** Enough to talk to the proxy about one session again. */
export interface RememberedSession {
  endpoint: string;
  clientSecret: string;
}

const keyOf = (id: string): string => `innkeep:${id}`;

/** Keeps the session for the return page. */
export function rememberSession(id: string, session: RememberedSession): void {
  try {
    sessionStorage.setItem(keyOf(id), JSON.stringify(session));
  } catch {}
}

/** The session kept under this id, if there is one and it is readable. */
export function recallSession(id: string): RememberedSession | undefined {
  try {
    // Only this page's own origin writes here, and the client checks both before it uses them.
    return JSON.parse(sessionStorage.getItem(keyOf(id)) ?? '') as RememberedSession;
  } catch {
    return undefined;
  }
}

/** Drops the session: its outcome is known. */
export function forgetSession(id: string): void {
  try {
    sessionStorage.removeItem(keyOf(id));
  } catch {}
}

/** The session id that the proxy's return route added to this page's address. Nothing else in the address is read. */
export function returnedSessionId(): string | undefined {
  return /^cs_[\w-]{1,64}$/.exec(new URLSearchParams(location.search).get('checkout_session') ?? '')?.[0];
}
