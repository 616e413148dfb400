import { html } from 'hono/html';
import type { Markup } from './layout.ts';

/** A label, its control and, when something is wrong with it, what to do. The control's id is the field's name. */
export function field(name: string, label: string, error: string | undefined, control: Markup): Markup {
  return html`<div class="field"><label for="${name}">${label}</label>${control}${error === undefined ? '' : fieldError(name, error)}</div>`;
}

/** What is wrong with a field, tied to it by {@link described}. */
export function fieldError(name: string, text: string): Markup {
  return html`<p class="error" id="${name}-error">${text}</p>`;
}

/** Attributes of a control that has an error. */
export function described(name: string, error: string | undefined): Markup | string {
  return error === undefined ? '' : html`aria-invalid="true" aria-describedby="${name}-error"`;
}
