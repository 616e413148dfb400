/** The floor of `healthz`: Hono, one route, no middleware. */
import { Hono } from 'hono';

const app = new Hono();
app.get('/healthz', (c) => c.json({ status: 'ok', version: '0.0.0' }));

export default app;
