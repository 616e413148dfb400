/** A state in a word and a color. */
import { html, type TemplateResult } from 'lit';
import type { Format } from './format.ts';

const TONES: Readonly<Record<string, string>> = {
  succeeded: 'good',
  partly_reversed: 'good',
  declined: 'bad',
  failed: 'bad',
  unknown: 'warn',
  pending: 'busy',
};

/** The word for a payment's, a stored card's or a reversal's state. One that only a newer proxy knows is shown as it came. */
export function statusText(status: string, { texts }: Pick<Format, 'texts'>, kind = 'payment'): string {
  const words: Readonly<Record<string, string>> = texts.statuses;
  const own: Readonly<Record<string, string>> = {
    'card succeeded': texts.storedCard,
    'card open': texts.cardRequested,
    'reversal succeeded': texts.givenBack,
  };
  return own[`${kind} ${status}`] ?? words[status] ?? status;
}

/** The badge of a state. */
export function statusBadge(status: string, format: Format, kind?: string): TemplateResult {
  return html`<span class="badge ${TONES[status] ?? 'quiet'}">${statusText(status, format, kind)}</span>`;
}
