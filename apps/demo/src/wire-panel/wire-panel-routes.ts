/** The panel's own routes. None of them is recorded. */
import { type Context, Hono } from 'hono';
import { exchangeFeed } from './exchange-feed.ts';
import type { Changes, ExchangeLog } from './exchange-log.ts';
import type { Recorder } from './record-exchanges.ts';
import { relatedExchanges } from './related-exchanges.ts';
import type { SandboxControlPort } from './sandbox-control-port.ts';
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
  readonly control: SandboxControlPort;
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

/** Makes the routes below `/wire`. */
export function wirePanelRoutes({ wirePanel, arrivalOf, codeOf }: WirePanelRoutesInput): Hono {
  const { log, control, clock } = wirePanel;
  const app = new Hono();

  app.get('/wire', async (c) => {
    const [view, scope] = [readView(c.req.query('view')), readScope((name) => c.req.query(name))];
    return c.html(wirePanelPage({ view, scope, content: await contentOf(view, scope) }));
  });

  app.get('/wire/view', async (c) => {
    c.header('cache-control', 'no-store');
    return c.html(
      await contentOf(
        readView(c.req.query('view')),
        readScope((name) => c.req.query(name)),
      ),
    );
  });

  app.get('/wire/exchanges', (c) => {
    const after = Number(c.req.header('last-event-id') ?? c.req.query('after') ?? 0);
    const body = exchangeFeed({
      log,
      root: rootOf(readScope((name) => c.req.query(name))),
      after: Number.isSafeInteger(after) && after > 0 ? after : 0,
    });
    return c.body(body, 200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  });

  app.get('/wire/exchanges/:id', async (c) => {
    c.header('cache-control', 'no-store');
    const entry = await log.find(c.req.param('id'));
    if (entry === undefined) return c.text('This request is no longer kept.', 404);
    const detail = exchangeDetail(entry.exchange);
    if (c.req.query('part') !== undefined) return c.html(detail);
    return c.html(wirePanelPage({ view: 'requests', scope: readScope(() => undefined), content: detail }));
  });

  app.post('/wire/clear', (c) =>
    act(c, async () => {
      await log.clear();
    }),
  );

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

  /** Does what a form asks for and shows its view again: as a part for the panel's script, or as the page. */
  async function act(c: Context, run: (form: URLSearchParams, scope: Scope) => Promise<void>): Promise<Response> {
    const form = new URLSearchParams(await c.req.text());
    const scope = readScope((name) => form.get(name) ?? undefined);
    const view = readView(form.get('view') ?? undefined);
    try {
      await run(form, scope);
    } catch (error) {
      const problem = `That did not work: ${error instanceof Error ? error.message : 'unknown reason'}.`;
      const content = await contentOf(view, scope, problem);
      return c.html(c.req.query('part') === undefined ? wirePanelPage({ view, scope, content }) : content, 400);
    }
    return c.req.query('part') === undefined
      ? c.redirect(viewHref(view, scope), 303)
      : c.html(await contentOf(view, scope));
  }

  async function contentOf(view: View, scope: Scope, problem?: string): Promise<Markup> {
    switch (view) {
      case 'requests':
        return requestsView(await entriesOf(scope), scope);
      case 'faults': {
        const [{ scenarios, chosen }, magic] = await Promise.all([control.scenarios(), control.magic()]);
        return faultsView({ scenarios, chosen, magic, scope, ...(problem === undefined ? {} : { problem }) });
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

  async function entriesOf(scope: Scope): Promise<Pick<Changes, 'entries' | 'revision'>> {
    const { entries, revision } = await log.changes(0);
    return { entries: relatedExchanges(entries, rootOf(scope)), revision };
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
