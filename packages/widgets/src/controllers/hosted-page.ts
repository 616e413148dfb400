/**
 * Leaving for the hosted payment page: same tab, or a new one opened inside the click.
 *
 * A window opened after an `await` is blocked by browsers, so the window comes first and its address later. `noopener`
 * would make `window.open` return null, so the opener is cut by hand before anything foreign is loaded; not before the
 * address is set, since a sandboxed frame may navigate only windows that it is the opener of.
 */
import { isLocalNetworkHost, parseHttpUrl } from '@innkeep/core/values';
import type { ReactiveController, ReactiveControllerHost } from '#lit';
import { toError } from './faults.ts';

/** How the guest reaches the hosted page. */
export type Presentation = 'auto' | 'redirect' | 'tab';

/** The browser's acts of navigation, in one place so that tests can stand in for them. */
export const browser = {
  /** Whether this page is shown inside another one. */
  isFramed: (): boolean => window.top !== window,
  openTab: (): Window | null => window.open('about:blank', '_blank'),
  assign: (url: string): void => location.assign(url),
};

/** Where the hosted page goes: this tab (`undefined`), a window just opened, or one that was blocked (`null`). */
export type HostedTab = Window | null | undefined;

/** Something the guest should know while waiting, or before another click (`changed`); never an outcome. */
export type Notice = 'leaving' | 'blocked' | 'closed' | 'changed';

/** Prepares the trip. Call it synchronously in the click. The hosted page is never shown in a frame. */
export function openHostedTab(presentation: Presentation, placeholder: string): HostedTab {
  if (presentation !== 'tab' && !browser.isFramed()) return undefined;
  // A script of the page that stands in for `open` may answer with nothing.
  const tab = browser.openTab() ?? null;
  try {
    if (tab) {
      tab.document.body.textContent = tab.document.title = placeholder;
      tab.document.dir = 'auto';
    }
  } catch {}
  return tab;
}

/** Knows where one element's hosted page is: ahead of this tab, in a tab of its own, or in none. */
export class HostedPageController implements ReactiveController {
  viewUrl: string | undefined;
  notice: Notice | undefined;
  #tab: HostedTab;

  constructor(host: ReactiveControllerHost) {
    host.addController(this);
  }

  /** Whether the page belongs in a tab of its own. */
  get isInTab(): boolean {
    return this.#tab !== undefined;
  }

  hostUpdate(): void {
    if (isClosed(this.#tab)) this.notice ??= 'closed';
  }

  /** Sends the guest on to `viewUrl`; without a window to do it in, the element shows a link. */
  leave(viewUrl: string, tab: HostedTab): void {
    this.viewUrl = viewUrl;
    this.#tab = tab;
    if (isClosed(tab)) {
      this.notice = 'blocked';
    } else if (tab) {
      tab.location = viewUrl;
      tab.opener = null;
    } else {
      this.notice = 'leaving';
      browser.assign(viewUrl);
    }
  }

  /** The proxy has answered while the guest is still here, who has not left after all. Of another attempt the hosted page is another one. */
  stay(isSame: boolean): void {
    if (this.notice === 'leaving') this.notice = undefined;
    if (!isSame) this.viewUrl = this.#tab = undefined;
  }

  forget(): void {
    this.viewUrl = this.#tab = this.notice = undefined;
  }
}

/** The opened window is gone, or hidden: a hint to poll, never an outcome. */
function isClosed(tab: HostedTab): boolean {
  return tab === null || !!tab?.closed;
}

/** A hosted page's address may be https, or http on this very machine or in its network, for trying things out. @throws `untrusted_url` */
export function checkViewUrl(address: string): void {
  const url = parseHttpUrl(address);
  if (url?.protocol === 'https:' || (url !== undefined && isLocalNetworkHost(url.hostname))) return;
  throw toError('untrusted_url', 'The hosted page is not https.');
}
