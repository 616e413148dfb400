import { html } from 'hono/html';
import type { Markup } from './redacted-text.ts';
import { type Scope, scopeFields } from './scope.ts';

/** The clocks of the demo, and buttons that move them forward. */
export function clockView(input: {
  readonly now: Date;
  /** The sandbox's local time, without a zone. */
  readonly sandboxTime: string;
  /** When the night of the arrival is over; null without a booking, or when that has passed. */
  readonly morningAfter: Date | null;
  readonly scope: Scope;
}): Markup {
  const { now, sandboxTime, morningAfter, scope } = input;
  return html`<p class="wire-lead">Move the clock forward to see a no-show, or a booking that nobody paid in time.</p>
<dl class="clocks">
  <div><dt>The hotel’s server</dt><dd><time datetime="${now.toISOString()}" data-clock="hotel">${formatInstant(now)}</time></dd></div>
  <div><dt>The payment service (sandbox)</dt><dd><time datetime="${sandboxTime}" data-clock="upstream">${sandboxTime.replace('T', ' ')}</time></dd></div>
  <div><dt>The proxy</dt><dd>always the real time</dd></div>
</dl>
<form class="clock-buttons" method="post" action="/wire/clock">${scopeFields(scope, 'clock')}
  <button class="wire-button" type="submit" name="step" value="hour">+ 1 hour</button>
  <button class="wire-button" type="submit" name="step" value="day">+ 1 day</button>
  ${morningAfter === null ? '' : html`<button class="wire-button" type="submit" name="step" value="morning-after">To the morning after the arrival: ${formatInstant(morningAfter)}</button>`}
</form>
<p class="wire-note">Both clocks move by the same amount, and never back. The proxy’s clock cannot be moved, because the proxy is the same bundle that gets deployed.
When a booking is not paid in time, the hotel’s server ends it and tells the proxy to end the payment session.</p>`;
}

function formatInstant(instant: Date): string {
  const text = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' }).format(
    instant,
  );
  return `${text} UTC`;
}
