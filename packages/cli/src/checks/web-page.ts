const MAX_START = 10_000;

/** Whether a text is the page of a web server that answers instead of the gateway: no message of the gateway is HTML. */
export function isWebPage(text: string): boolean {
  return /^(?:\s|<\?[^>]*>|<!--(?:(?!-->).)*-->)*<(?:!doctype\s+)?html\b/is.test(text.slice(0, MAX_START));
}
