import { html } from 'hono/html';
import { formatDay } from '../booking/format.ts';
import type { RoomAnswer, RoomGuest } from '../room-lookup.ts';
import { deskLayout } from './desk-layout.ts';
import type { Markup } from './layout.ts';

/** Who stays where, asked of the property-management system through the proxy's gateway. */
export function deskRoomsPage(room: RoomAnswer | null): Markup {
  return deskLayout({
    title: 'Rooms',
    place: '/desk/rooms',
    body: html`<h1>Who is in which room?</h1>
      <p class="lead">The property management system knows. The proxy adds the key and passes its answer on unchanged.</p>
      <form class="search" method="get" action="/desk/rooms">
        <label for="room">Room number</label>
        <input id="room" name="room" value="${room?.number ?? '101'}" maxlength="10" autocomplete="off" required>
        <button class="secondary" type="submit">Look up</button>
      </form>
      <p class="small">The sandbox has rooms 101, 102, 103 and 201.</p>
      ${room === null ? '' : roomCard(room)}`,
  });
}

function roomCard(room: RoomAnswer): Markup {
  return html`<section class="card room-answer" aria-live="polite">
    <h2>Room ${room.number}</h2>
    ${
      room.problem === null
        ? html`${room.guests.length === 0 ? html`<p>Vacant.</p>` : html`<ul class="guests">${room.guests.map(guestRow)}</ul>`}
          ${room.remarks === '' ? '' : html`<p class="small">Remarks: ${room.remarks}</p>`}`
        : html`<p class="problem">${room.problem}</p>`
    }
    ${
      room.xml === null
        ? ''
        : html`<details>
            <summary>Original answer</summary>
            <pre tabindex="0" aria-label="Answer">${room.xml}</pre>
          </details>`
    }
  </section>`;
}

function guestRow({ name, from, to }: RoomGuest): Markup {
  return html`<li><strong>${name}</strong> <span>${day(from)} to ${day(to)}</span></li>`;
}

function day(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? formatDay(text) : text;
}
