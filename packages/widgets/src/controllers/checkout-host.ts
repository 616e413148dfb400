import type { ReactiveControllerHost } from '#lit';
import type { Presentation } from './hosted-page.ts';

/** The element's side of the checkout controller: what it is configured with. */
export interface CheckoutHost extends ReactiveControllerHost, HTMLElement {
  endpoint: string | undefined;
  clientSecret: string | undefined;
  presentation: Presentation;
  getClientSecret: (() => Promise<string>) | undefined;
  noRetry: boolean;
  /** An element that reports: it begins no first attempt, and has an error to report when there is no session. */
  readonly isStatusOnly: boolean;
}
