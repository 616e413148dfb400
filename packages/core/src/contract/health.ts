import * as v from 'valibot';
import { component } from './component.ts';

/** Answer of `GET /healthz`. */
export const HealthSchema = component(
  'Health',
  v.object({
    status: v.pipe(v.literal('ok'), v.description('Always this, when there is an answer.')),
    version: v.pipe(v.string(), v.description('Version of the proxy.')),
  }),
  { description: 'The proxy runs.', example: { status: 'ok', version: '1.0.0' } },
);
