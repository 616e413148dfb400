/** The panel's own routes. None of them is recorded. */
import { type Context, Hono } from 'hono';
import type { ExchangeLog } from './exchange-log.ts';
import type { Recorder } from './record-exchanges.ts';
import type { SandboxControl } from './sandbox-control.ts';
import { STEPS, wirePanelPage } from './wire-panel-page.ts';

/** The parts of the panel. */
export interface WirePanel extends Recorder {
  readonly log: ExchangeLog;
  readonly control: SandboxControl;
  /** The hotel's clock. */
  readonly clock: { now(): Date; advance(ms: number): void | Promise<void> };
}

/** Makes the routes below `/wire`: one page, and what its forms ask for. */
export function wirePanelRoutes({ log, control, clock }: WirePanel): Hono {
  const app = new Hono();
  app.use('/wire/*', async (c, next) => {
    await next();
    c.header('cache-control', 'no-store');
  });
  app.get('/wire', async (c) => c.html(await page(c.req.query('to'))));
  app.post('/wire/clear', (c) => act(c, async () => log.clear(c.req.query('to'))));
  app.post('/wire/faults', (c) =>
    act(c, async (form) => {
      const [operation = '', scenario = ''] = (form.get('choice') ?? '').split('/');
      await control.choose({ operation, scenario, times: Number(form.get('times')) });
    }),
  );
  app.post('/wire/clock', (c) =>
    act(c, async (form) => {
      const ms = STEPS.get(form.get('step') ?? '');
      if (ms === undefined) throw new Error('There is no such step.');
      await clock.advance(ms);
      await control.advanceClock(ms / 1_000);
    }),
  );
  return app;

  async function page(to?: string, problem?: string): Promise<ReturnType<typeof wirePanelPage>> {
    const exchanges = log.list().filter((exchange) => to === undefined || exchange.to === to);
    return wirePanelPage({ exchanges, to, now: clock.now(), problem, ...(await control.scenarios()) });
  }

  /** Does what a form asks for and leads back to the same requests; the page says what went wrong. */
  async function act(c: Context, run: (form: URLSearchParams) => Promise<void>): Promise<Response> {
    try {
      await run(new URLSearchParams(await c.req.text()));
      return c.redirect(`/wire${new URL(c.req.url).search}`, 303);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown reason';
      return c.html(await page(c.req.query('to'), `That did not work: ${reason}`), 400);
    }
  }
}
