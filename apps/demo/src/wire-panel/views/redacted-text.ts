import { REDACTED } from '@innkeep/core/values';
import { html } from 'hono/html';

/** Markup that `html` has escaped already. */
export type Markup = ReturnType<typeof html>;

/** Text as it went over the wire, with a visible mark wherever something was redacted. */
export function redactedText(text: string): Markup {
  return html`${text.split(REDACTED).map((part, index) => html`${index === 0 ? '' : REDACTION}${part}`)}`;
}

/** What stands in the place of what was redacted. */
export const REDACTION: Markup = html`<span class="redacted">redacted</span>`;
