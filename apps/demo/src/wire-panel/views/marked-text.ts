import { html } from 'hono/html';
import type { Exchange, MarkedText } from '../exchange.ts';

/** Markup that `html` has escaped already. */
export type Markup = ReturnType<typeof html>;

/** Text as it went over the wire, with a visible mark wherever something was cut out of it. */
export function markedText(text: MarkedText): Markup {
  return html`${text.map((part) => (typeof part === 'string' ? part : cutMark(part.hidden)))}`;
}

/** The mark of a cut. */
export function cutMark(name: string): Markup {
  return html`<span class="cut">${name}<span class="cut-word"> — redacted</span></span>`;
}

/** Names of everything that was cut out of an exchange, each once. */
export function cutsIn({ path, request, answer }: Exchange): string[] {
  const texts = [
    path,
    ...[request, answer].flatMap((message) => [
      ...(message?.headers ?? []).map(({ value }) => value),
      message?.body?.text ?? [],
    ]),
  ];
  return [...new Set(texts.flat().flatMap((part) => (typeof part === 'string' ? [] : [part.hidden])))];
}

/** `512 B`, `1.2 kB`, `3.4 MB`; 1 kB = 1,024 bytes. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  const isKilo = bytes < 1_024 * 1_024;
  const value = bytes / (isKilo ? 1_024 : 1_024 * 1_024);
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${isKilo ? 'kB' : 'MB'}`;
}

/** `1 request`, `2 requests`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
