/** The routes under `/__sandbox/`: thin shells around the control functions. */
import { Hono } from 'hono';
import { SCRIPT, STYLESHEET } from '../hosted-page/stylesheet.ts';
import { Refusal } from '../wire/refusal.ts';
import type { Completion, SandboxControl, ScenarioChoice } from './control.ts';

// A site can point its own name here, but it cannot own an address.
const OWN_HOST = /^(?:(?:[a-z0-9-]+\.)*localhost|\d+(?:\.\d+){3}|\[[\da-f:.]+\])$/;

/**
 * The control routes, relative to `/__sandbox`.
 * @param ownName a name, besides those of this machine, by which the service may be called
 */
export function createControlRoutes(control: SandboxControl, ownName: string | undefined): Hono {
  const routes = new Hono();
  routes.use(async ({ req }, next) => {
    if (!req.path.includes('/__sandbox/assets/')) refuseForeign(req.raw, ownName);
    await next();
  });
  routes.post('/reset', (context) => {
    control.reset();
    return context.json({ ok: true });
  });
  routes.get('/requests', (context) => {
    const after = context.req.query('after') ?? '0';
    if (!/^\d{1,15}$/.test(after)) throw new Refusal('invalid_request', 'must be a whole number', 'after');
    return context.json(control.requests(Number(after)));
  });
  routes.get('/ledger', (context) => context.json(control.ledger()));
  routes.get('/scenarios', (context) => context.json(control.scenarios()));
  routes.get('/magic', (context) => context.json(control.magic()));
  routes.post('/scenario', async (context) => {
    control.scenario(await readFields<ScenarioChoice>(context.req.raw, ['operation', 'scenario', 'times']));
    return context.json(control.scenarios());
  });
  routes.post('/clock', async (context) => {
    return context.json(control.clock(await readFields(context.req.raw, ['advanceSeconds'])));
  });
  routes.post('/complete', async (context) => {
    const known = ['requestID', 'outcome', 'surchargePercent', 'errorText'] as const;
    return context.json(await control.complete(await readFields<Completion>(context.req.raw, known)));
  });
  const cached = { 'Cache-Control': 'max-age=3600' };
  routes.get('/assets/hosted-page.css', (context) =>
    context.body(STYLESHEET, 200, { ...cached, 'Content-Type': 'text/css; charset=utf-8' }),
  );
  routes.get('/assets/hosted-page.js', (context) =>
    context.body(SCRIPT, 200, { ...cached, 'Content-Type': 'text/javascript; charset=utf-8' }),
  );
  for (const path of new Set(routes.routes.flatMap(({ method, path }) => (method === 'ALL' ? [] : [path])))) {
    routes.all(path, (context) => {
      throw new Refusal('method_not_allowed', 'is not the method of this address', context.req.method);
    });
  }
  return routes;
}

/**
 * A page of another site must not steer the sandbox of a developer's machine: not across origins, and not by a name of its own that
 * it has made point to this machine. A request without a network has no `Host`.
 */
function refuseForeign({ headers, url }: Request, ownName: string | undefined): void {
  const [origin, host] = [headers.get('origin'), headers.get('host')];
  if (origin !== null && (!URL.canParse(origin) || new URL(origin).host !== (host ?? new URL(url).host))) {
    throw new Refusal('forbidden', 'comes from a page of another origin', 'Origin');
  }
  if (host === null) return;
  const hostname = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
  if (!OWN_HOST.test(hostname) && hostname !== ownName) {
    throw new Refusal('forbidden', 'is neither an address, nor localhost, nor the name in the base address', 'Host');
  }
}

/** The body, with only these fields. The functions that take the values check them, since a test may call them with anything. */
async function readFields<Fields>(request: Request, known: readonly (keyof Fields & string)[]): Promise<Fields> {
  const body: unknown = await request.json().catch(() => undefined);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refusal('invalid_request', 'the body must be a JSON object');
  }
  const names: readonly string[] = known;
  const unknownField = Object.keys(body).find((field) => !names.includes(field));
  if (unknownField !== undefined) throw new Refusal('invalid_request', 'is not a field of this request', unknownField);
  return body as Fields;
}
