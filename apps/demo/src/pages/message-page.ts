import type { Context } from 'hono';
import { html } from 'hono/html';
import { layout, type Markup } from './layout.ts';

/** A page that says one thing: not found, or out of order. */
export function messagePage(input: { title: string; text: string }): Markup {
  return layout({
    title: input.title,
    body: html`<main class="narrow">
      <h1>${input.title}</h1>
      <p class="lead">${input.text}</p>
      <p><a class="primary" href="/">Go to the front page</a></p>
    </main>`,
  });
}

export function notFound(c: Context): Response | Promise<Response> {
  return c.html(
    messagePage({ title: 'Page not found', text: 'This page does not exist, or the demo was restarted since.' }),
    404,
  );
}
