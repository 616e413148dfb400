/**
 * Leaving for the hosted payment page: same tab, or a new one opened inside the click.
 *
 * A window opened after an `await` is blocked by browsers, so the window comes first and its address later. `noopener`
 * would make `window.open` return null, so the opener is cut by hand before anything foreign is loaded.
 */

/** How the guest reaches the hosted page. */
export type Presentation = 'auto' | 'redirect' | 'tab';

/** The browser's acts of navigation, in one place so that tests can stand in for them. */
export const browser = {
  /** Whether this page is shown inside another one. */
  isFramed: (): boolean => window.top !== window,
  openTab: (): Window | null => window.open('about:blank', '_blank'),
  assign: (url: string): void => location.assign(url),
};

/** One trip to the hosted page, made inside the guest's click. */
export interface HostedPage {
  readonly mode: 'redirect' | 'tab';
  /** Sends the guest on. False when there is no window to do it in: blocked, or already closed. */
  go(url: string): boolean;
  /** Closes a window that has not been sent anywhere. */
  abandon(): void;
  /** The opened window is gone, or cannot be seen any more: a hint to look, never an outcome. */
  isClosed(): boolean;
}

/** Prepares the trip. Call it synchronously in the click. The hosted page is never shown in a frame. */
export function openHostedPage(presentation: Presentation, placeholder: string): HostedPage {
  if (presentation !== 'tab' && !browser.isFramed()) {
    return {
      mode: 'redirect',
      go: (url) => {
        browser.assign(url);
        return true;
      },
      abandon: () => {},
      isClosed: () => false,
    };
  }
  const tab = browser.openTab();
  try {
    if (tab) {
      tab.opener = null;
      tab.document.title = placeholder;
      tab.document.body.textContent = placeholder;
    }
  } catch {}
  return {
    mode: 'tab',
    go: (url) => {
      if (!tab || tab.closed) return false;
      tab.location.replace(url);
      return true;
    },
    abandon: () => tab?.close(),
    isClosed: () => !tab || tab.closed,
  };
}

/** Whether a hosted page's address may be opened: https, or http on this very machine. */
export function isSafeViewUrl(url: string): boolean {
  try {
    const { protocol, hostname } = new URL(url);
    return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname));
  } catch {
    return false;
  }
}
