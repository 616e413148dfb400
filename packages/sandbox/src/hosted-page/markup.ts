/** HTML that is known to be safe to put into HTML. */
export interface Markup {
  readonly html: string;
}

/** HTML from a template; everything put into it is escaped unless it is {@link Markup} itself. */
export function markup(
  strings: TemplateStringsArray,
  ...values: readonly (string | Markup | readonly Markup[] | undefined)[]
): Markup {
  const parts = strings.map((text, index) => text + toHtml(values[index]));
  return { html: parts.join('') };
}

function toHtml(value: string | Markup | readonly Markup[] | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return escapeHtml(value);
  if ('html' in value) return value.html;
  return value.map(({ html }) => html).join('');
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
