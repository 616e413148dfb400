/** The payment link of one session: made when it is asked for, kept in memory while it is shown. */
import type { PaymentLink } from '@innkeep/core/contract';
import type { ReactiveController } from 'lit';
import { type DeskFault, faultOf } from '../client/desk-fault.ts';
import type { ReaderHost } from './reader.ts';

/** Shows one link. */
export class LinkController implements ReactiveController {
  /** The link that is shown. */
  shown: PaymentLink | undefined;
  isCopied = false;
  /** Whether the address is marked, to be copied by hand. */
  isByHand = false;
  hasQr = false;
  /** Why there is none. */
  fault: DeskFault | undefined;
  isBusy = false;

  readonly #host: ReaderHost;

  constructor(host: ReaderHost) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {}

  /** Forgets it. */
  clear(): void {
    Object.assign(this, { shown: undefined, isCopied: false, isByHand: false, hasQr: false, fault: undefined });
    this.#host.requestUpdate();
  }

  /** Makes a link of the session. Another link leads to the same payment, so that it can be shown again. */
  async show(session: string): Promise<void> {
    const { link } = this.#host;
    if (!link || this.isBusy) return;
    this.isBusy = true;
    this.fault = undefined;
    this.#host.requestUpdate();
    try {
      this.shown = await link.client.json<PaymentLink>(`checkout-sessions/${session}/link`, { body: {} });
    } catch (error) {
      this.fault = faultOf(error);
    }
    this.isBusy = false;
    this.#host.requestUpdate();
  }

  readonly copy = async ({ currentTarget }: Event): Promise<void> => {
    const address = (currentTarget as HTMLElement).closest('.pay-link')?.querySelector('input');
    try {
      await navigator.clipboard.writeText(this.shown?.url ?? '');
      this.isCopied = true;
    } catch {
      // A page without https has no clipboard, and another may lack the right to it.
      this.isCopied = false;
      address?.focus();
      address?.select();
    }
    this.isByHand = !this.isCopied;
    this.#host.requestUpdate();
  };

  readonly toggleQr = (): void => {
    this.hasQr = !this.hasQr;
    this.#host.requestUpdate();
  };
}
