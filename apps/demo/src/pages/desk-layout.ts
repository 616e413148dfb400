import { html } from 'hono/html';
import { layout, type Markup } from './layout.ts';

const PLACES = [
  ['/desk', 'Bookings'],
  ['/desk/telephone', 'Telephone'],
  ['/desk/rooms', 'Rooms'],
] as const;

/** Where staff is at the desk. */
export type DeskPlace = (typeof PLACES)[number][0];

/** The frame of the desk's pages. A real hotel keeps them behind a staff login. */
export function deskLayout(input: {
  title: string;
  place: DeskPlace;
  /** Whether the page lies below that place: one booking of the list. */
  isBelow?: boolean;
  body: Markup;
}): Markup {
  const current = html` aria-current="${input.isBelow === true ? 'true' : 'page'}"`;
  return layout({
    title: input.title,
    isDesk: true,
    body: html`<main class="desk">
      <nav class="tabs" aria-label="Desk">
        ${PLACES.map(([href, text]) => html`<a href="${href}"${href === input.place ? current : ''}>${text}</a>`)}
      </nav>
      ${input.body}
    </main>`,
  });
}

/** A payment's status as a word in a coloured pill. */
export function statusBadge(status: string): Markup {
  return html`<span class="badge badge-${status}">${status}</span>`;
}
