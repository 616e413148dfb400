import { html } from 'hono/html';
import { layout, type Markup } from './layout.ts';

const PLACES = [
  ['/desk', 'Bookings'],
  ['/desk/telephone', 'Telephone'],
  ['/desk/rooms', 'Rooms'],
] as const;

export type DeskPlace = (typeof PLACES)[number][0];

/** The frame of the desk's pages, for whoever is signed in. */
export function deskLayout(input: {
  title: string;
  place: DeskPlace;
  scripts?: readonly string[];
  body: Markup;
}): Markup {
  const current = html` aria-current="page"`;
  return layout({
    title: input.title,
    scripts: input.scripts,
    isDesk: true,
    body: html`<main class="desk">
      <nav class="tabs" aria-label="Desk">
        ${PLACES.map(([href, text]) => html`<a href="${href}"${href === input.place ? current : ''}>${text}</a>`)}
        <form method="post" action="/desk/sign-out"><button type="submit">Sign out</button></form>
      </nav>
      ${input.body}
    </main>`,
  });
}
