import { html } from 'hono/html';
import type { Markup } from './redacted-text.ts';
import { type Scope, scopeFields } from './scope.ts';

/** The clocks of the demo and the buttons that move them. */
export function clockView(input: {
  readonly now: Date;
  /** The simulator's local time, without a zone. */
  readonly sandboxTime: string;
  /** When the guest of this booking is known not to have come; null without a booking, or when it has passed. */
  readonly morningAfter: Date | null;
  readonly scope: Scope;
}): Markup {
  const { now, sandboxTime, morningAfter, scope } = input;
  return html`<p class="wire-lead">Time only goes forward. Move it to see a no-show, or a booking that nobody paid in time.</p>
<dl class="clocks">
  <div><dt>The hotel’s server</dt><dd><time datetime="${now.toISOString()}" data-clock="hotel">${formatInstant(now)}</time></dd></div>
  <div><dt>The payment service (simulator)</dt><dd><time datetime="${sandboxTime}" data-clock="upstream">${sandboxTime.replace('T', ' ')}</time></dd></div>
  <div><dt>The proxy</dt><dd>the real time, always</dd></div>
</dl>
<form class="clock-buttons" method="post" action="/wire/clock">${scopeFields(scope, 'clock')}
  <button class="wire-button" type="submit" name="step" value="hour">+ 1 hour</button>
  <button class="wire-button" type="submit" name="step" value="day">+ 1 day</button>
  ${morningAfter === null ? '' : html`<button class="wire-button" type="submit" name="step" value="morning-after">To the morning after the arrival: ${formatInstant(morningAfter)}</button>`}
</form>
<p class="wire-note">The simulator’s clock moves by the same time as the hotel’s. The proxy’s clock cannot be moved: it is the same bundle that is deployed,
and a proxy whose time anybody can move would be no model of one. A booking that was not paid in time is ended by the hotel’s server, which
tells the proxy to end the payment session.</p>`;
}

function formatInstant(instant: Date): string {
  const text = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' }).format(
    instant,
  );
  return `${text} UTC`;
}
