import * as v from 'valibot';
import { component } from './component.ts';

/** Answer of `GET /healthz`. */
export const HealthSchema = component(
  'Health',
  v.object({
    /** Always this, when there is an answer. */
    status: v.literal('ok'),
    /** Version of the proxy. */
    version: v.string(),
  }),
  { description: 'The proxy runs.', example: { status: 'ok', version: '1.0.0' } },
);
