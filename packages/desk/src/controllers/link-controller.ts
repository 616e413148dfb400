/** The payment link of one session: made when it is asked for, kept in memory while it is shown. */
import type { PaymentLink } from '@innkeep/core/contract';
import type { ReactiveController } from 'lit';
import { DeskFault, faultOf } from '../client/desk-fault.ts';
import type { ReaderHost } from './reader.ts';

/** Shows one link. */
export class LinkController implements ReactiveController {
  /** The link that is shown. */
  declare shown: PaymentLink | undefined;
  /** Whether it was copied; `false` when the address is marked, to be copied by hand. */
  declare isCopied: boolean | undefined;
  hasQr = false;
  /** Why there is none. */
  declare fault: DeskFault | undefined;
  /** The link that is awaited: an answer to an older question is about something else. */
  declare awaited: object | undefined;

  readonly #host: ReaderHost;

  constructor(host: ReaderHost) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.clear();
  }

  /** Who asks for the money. */
  get hotel(): string {
    return this.#host.link?.desk?.property.name ?? '';
  }

  /** Forgets it, and what is awaited. */
  clear(): void {
    this.shown = this.isCopied = this.fault = this.awaited = undefined;
    this.hasQr = false;
    this.#host.requestUpdate();
  }

  /** Makes a link of the session. Another link leads to the same payment, so that it can be shown again. */
  async show(session: string): Promise<void> {
    const { link } = this.#host;
    if (!link || this.awaited) return;
    const awaited = {};
    this.awaited = awaited;
    this.fault = undefined;
    this.#host.requestUpdate();
    let answer: { shown: PaymentLink } | { fault: DeskFault };
    try {
      const shown = await link.client.json<PaymentLink>(`checkout-sessions/${session}/link`, { body: {} });
      if (typeof shown.url !== 'string') throw new DeskFault('invalid_response');
      answer = { shown };
    } catch (error) {
      answer = { fault: faultOf(error) };
    }
    if (this.awaited !== awaited) return;
    Object.assign(this, answer, { awaited: undefined });
    this.#host.requestUpdate();
  }

  readonly copy = async ({ currentTarget }: Event): Promise<void> => {
    const address = (currentTarget as HTMLElement).closest('.pay-link')?.querySelector('input');
    const { shown } = this;
    let isCopied = true;
    try {
      await navigator.clipboard.writeText(shown?.url ?? '');
    } catch {
      // A page without https has no clipboard, and another may lack the right to it.
      isCopied = false;
    }
    if (this.shown !== shown) return;
    this.isCopied = isCopied;
    if (!isCopied) {
      address?.focus();
      address?.select();
    }
    this.#host.requestUpdate();
  };

  readonly toggleQr = (): void => {
    this.hasQr = !this.hasQr;
    this.#host.requestUpdate();
  };
}
