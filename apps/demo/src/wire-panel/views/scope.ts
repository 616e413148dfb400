import { html } from 'hono/html';
import type { Markup } from './redacted-text.ts';

/** The views of the panel, in the order of its navigation. */
export const VIEWS = [
  { view: 'requests', name: 'Requests' },
  { view: 'faults', name: 'Faults' },
  { view: 'clock', name: 'Clock' },
  { view: 'code', name: 'Code' },
] as const;

/** One of {@link VIEWS}. */
export type View = (typeof VIEWS)[number]['view'];

/** What the panel stands beside. */
export interface Scope {
  /** Path of the page beside it; `/` when there is none. */
  readonly from: string;
  /** Id of the booking that the page is about, if it is about one. */
  readonly booking: string | null;
  /** Show every request, and not only those of the booking. */
  readonly isAll: boolean;
}

/** Reads the scope from an address or a form. Without a booking there is nothing to narrow down to. */
export function readScope(read: (name: string) => string | undefined): Scope {
  const from = /^\/[\w/-]{0,200}$/.exec(read('from') ?? '')?.[0] ?? '/';
  const booking = /^\/(?:bookings|desk)\/([0-9A-Z]{20})(?:\/|$)/.exec(from)?.[1] ?? null;
  return { from, booking, isAll: booking === null || read('scope') === 'all' };
}

/** Reads which view to show. */
export function readView(text: string | undefined): View {
  return VIEWS.find(({ view }) => view === text)?.view ?? 'requests';
}

/** Address of a view as a page of its own. */
export function viewHref(view: View, scope: Scope): string {
  // What is kept for the next page must not widen what that page shows of its own booking.
  const isWidened = scope.booking !== null && scope.isAll;
  return `/wire?${new URLSearchParams({ view, from: scope.from, ...(isWidened && { scope: 'all' }) })}`;
}

/** What a form of the panel sends along, so that its answer is the same view again. */
export function scopeFields(scope: Scope, view: View): Markup {
  return html`<input type="hidden" name="view" value="${view}"><input type="hidden" name="from" value="${scope.from}"><input type="hidden" name="scope" value="${scope.isAll ? 'all' : 'this'}">`;
}
