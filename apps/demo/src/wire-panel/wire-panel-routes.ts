/** The panel's own routes. None of them is recorded. */
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { changeFeed } from './change-feed.ts';
import type { ExchangeLog } from './exchange-log.ts';
import type { Recorder } from './record-exchanges.ts';
import { relatedExchanges } from './related-exchanges.ts';
import type { SandboxControl } from './sandbox-control.ts';
import { clockView } from './views/clock-view.ts';
import { type CodeSample, codeView } from './views/code-view.ts';
import { exchangeDetail } from './views/exchange-detail.ts';
import { faultsView } from './views/faults-view.ts';
import type { Markup } from './views/redacted-text.ts';
import { requestsView } from './views/requests-view.ts';
import { readScope, readView, type Scope, type View, viewHref } from './views/scope.ts';
import { wirePanelPage } from './views/wire-panel-markup.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
// When a hotel's night audit is over and the guest has not come.
const MORNING_MS = 8 * HOUR_MS;

/** The parts of the panel. */
export interface WirePanel extends Recorder {
  readonly log: ExchangeLog;
  readonly control: SandboxControl;
  /** The hotel's clock. */
  readonly clock: { now(): Date; advance(ms: number): void | Promise<void> };
}

/** What the routes need beyond the panel's parts. */
export interface WirePanelRoutesInput {
  readonly wirePanel: WirePanel;
  /** Arrival day (`YYYY-MM-DD`) of a booking. */
  readonly arrivalOf: (bookingId: string) => Promise<string | undefined>;
  /** The code that makes the page at a path. */
  readonly codeOf: (path: string) => Promise<readonly CodeSample[]>;
}

/** Makes the routes below `/wire`. Each view is a page; the panel beside a page of the hotel takes its content from there. */
export function wirePanelRoutes({ wirePanel, arrivalOf, codeOf }: WirePanelRoutesInput): Hono {
  const { log, control, clock } = wirePanel;
  const app = new Hono();
  app.use('/wire/*', async (c, next) => {
    await next();
    c.header('cache-control', 'no-store');
  });

  app.get('/wire', async (c) => {
    const [view, scope] = [readView(c.req.query('view')), readScope((name) => c.req.query(name))];
    return c.html(wirePanelPage({ view, scope, content: await contentOf(view, scope) }));
  });

  app.get('/wire/changes', (c) => c.body(changeFeed(log), 200, { 'content-type': 'text/event-stream' }));

  app.get('/wire/exchanges/:id', (c) => {
    const exchange = log.find(c.req.param('id'));
    const content =
      exchange === undefined
        ? html`<p class="wire-problem">This request is no longer kept.</p>`
        : exchangeDetail(exchange);
    const page = wirePanelPage({ view: 'requests', scope: readScope(() => undefined), content });
    return c.html(page, exchange === undefined ? 404 : 200);
  });

  app.post('/wire/clear', (c) => act(c, async () => log.clear()));

  app.post('/wire/faults', (c) =>
    act(c, async (form) => {
      const [operation = '', scenario = ''] = (form.get('choice') ?? '').split('/');
      const { chosen } = await control.scenarios();
      const isOn = chosen.some((choice) => choice.operation === operation && choice.scenario === scenario);
      await control.choose({ operation, scenario, times: isOn ? 0 : Number(form.get('times')) });
    }),
  );

  app.post('/wire/clock', (c) =>
    act(c, async (form, scope) => {
      const morning = form.get('step') === 'morning-after' ? await morningAfter(scope) : null;
      const ms = morning === null ? stepMs(form.get('step')) : morning.getTime() - clock.now().getTime();
      await clock.advance(ms);
      await control.advanceClock(Math.round(ms / 1_000));
    }),
  );
  return app;

  /** Does what a form asks for and leads back to its view, which says what went wrong. */
  async function act(c: Context, run: (form: URLSearchParams, scope: Scope) => Promise<void>): Promise<Response> {
    const form = new URLSearchParams(await c.req.text());
    const scope = readScope((name) => form.get(name) ?? undefined);
    const view = readView(form.get('view') ?? undefined);
    try {
      await run(form, scope);
      return c.redirect(viewHref(view, scope), 303);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown reason';
      const problem = html`<p class="wire-problem" role="alert">That did not work: ${reason}</p>`;
      const content = html`${problem}${await contentOf(view, scope)}`;
      return c.html(wirePanelPage({ view, scope, content }), 400);
    }
  }

  async function contentOf(view: View, scope: Scope): Promise<Markup> {
    switch (view) {
      case 'requests':
        return requestsView(relatedExchanges(log.list(), rootOf(scope)), scope);
      case 'faults': {
        const [{ scenarios, chosen }, magic] = await Promise.all([control.scenarios(), control.magic()]);
        return faultsView({ scenarios, chosen, magic, scope });
      }
      case 'clock':
        return clockView({
          now: clock.now(),
          sandboxTime: await control.advanceClock(0),
          morningAfter: await morningAfter(scope),
          scope,
        });
      case 'code':
        return codeView(await codeOf(scope.from));
    }
  }

  /** When the night of the arrival is over; null when it is already, or when there is no booking. */
  async function morningAfter({ booking }: Scope): Promise<Date | null> {
    const arrival = booking === null ? undefined : await arrivalOf(booking);
    if (arrival === undefined) return null;
    const morning = new Date(new Date(`${arrival}T00:00:00Z`).getTime() + DAY_MS + MORNING_MS);
    return morning > clock.now() ? morning : null;
  }
}

function stepMs(step: string | null): number {
  return step === 'day' ? DAY_MS : step === 'hour' ? HOUR_MS : 0;
}

function rootOf({ booking, isAll }: Scope): string | null {
  return isAll || booking === null ? null : `booking:${booking}`;
}
