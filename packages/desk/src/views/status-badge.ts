/** A state in a word and a color. */
import { html, type TemplateResult } from 'lit';
import type { Format } from './format.ts';

const TONES: Readonly<Record<string, string>> = {
  succeeded: 'good',
  partly_reversed: 'good',
  reversed: 'quiet',
  declined: 'bad',
  failed: 'bad',
  unknown: 'warn',
  open: 'quiet',
  pending: 'busy',
};

/** The badge of a payment's, a stored card's or a reversal's state. One that only a newer proxy knows is shown as it came. */
export function statusBadge(status: string, { texts }: Format, kind = 'payment'): TemplateResult {
  const words: Readonly<Record<string, string>> = texts.statuses;
  const word = status !== 'succeeded' ? words[status] : { card: texts.storedCard, reversal: texts.givenBack }[kind];
  return html`<span class="badge ${TONES[status] ?? 'quiet'}">${word ?? words[status] ?? status}</span>`;
}
