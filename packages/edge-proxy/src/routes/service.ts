/** For operators: whether the proxy runs, and what it can do. */
import { publicApp } from '../middleware/resource-app.ts';
import { fileResponse } from './file-response.ts';

/** The sub-app. The health check says that the code runs; it calls nothing. The description is made by the build. */
export const service = publicApp()
  .get('/healthz', (c) => c.json({ status: 'ok', version: c.get('dependencies').version }))
  .get('/openapi.json', (c) => fileResponse(c, 'application/json'));
