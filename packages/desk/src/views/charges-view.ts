/** What was charged for the reference that a card was stored for: whoever is about to charge the card sees it. */
import type { Payment, PaymentLine, PaymentPage } from '@innkeep/core/contract';
import { html, nothing, type TemplateResult } from 'lit';
import { DeskFault } from '../client/desk-fault.ts';
import type { DeskConnection } from '../controllers/desk-connection.ts';
import { type Format, fill } from './format.ts';
import { lineView } from './line-view.ts';

export interface PaymentWithCharges extends Payment {
  /** Of its reference; none for what is no stored card. */
  readonly charges: readonly PaymentLine[];
}

/** A charge does not say which card it was of: those of the reference are found. */
export async function chargesOf(
  { kind, reference }: Payment,
  link: DeskConnection,
  signal: AbortSignal,
): Promise<readonly PaymentLine[]> {
  if (kind !== 'card' || !reference?.trim()) return [];
  const lines = await linesOf(reference, link, signal);
  return lines.filter((line) => line.type === 'charge' && line.kind === 'payment');
}

/** Everything of one reference, as the search has it: not every system writes it alike, and a beginning is found, too. */
export async function linesOf(
  reference: string,
  link: DeskConnection,
  signal?: AbortSignal,
): Promise<readonly PaymentLine[]> {
  const { data } = await link.client.json<PaymentPage>('payments', { query: { q: reference }, signal });
  if (!Array.isArray(data)) throw new DeskFault('invalid_response');
  const fold = (text: string | null): string | undefined => text?.normalize('NFKC').toUpperCase().trim();
  return data.filter((line) => fold(line.reference) === fold(reference));
}

/** The charges, each to be opened. */
export function chargesView(
  { charges, reference }: PaymentWithCharges,
  format: Format,
  select: (payment: string) => void,
): TemplateResult | typeof nothing {
  if (charges.length === 0) return nothing;
  const options = { isUrgent: true, hasDay: true, isSelected: false };
  return html`<section aria-labelledby="charges">
    <h3 id="charges">${fill(format.texts.chargesOf, { reference: reference ?? '' })}</h3>
    <ul class="lines">${charges.map((line) => lineView(line, format, { ...options, select: () => select(line.payment) }))}</ul>
  </section>`;
}
