/** The floor of `healthz` and of a start: Hono, one route, no middleware, and as many namespaces of objects as the proxy has. */
import { DurableObject } from 'cloudflare:workers';
import { Hono } from 'hono';

const app = new Hono();
app.get('/healthz', (c) => c.json({ status: 'ok', version: '0.0.0' }));

export default app;
export class Object1 extends DurableObject {}
export class Object2 extends DurableObject {}
export class Object3 extends DurableObject {}
export class Object4 extends DurableObject {}
export class Object5 extends DurableObject {}
export class Object6 extends DurableObject {}
export class Object7 extends DurableObject {}
export class Object8 extends DurableObject {}
