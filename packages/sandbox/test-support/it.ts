import { it as base } from 'vitest';
import { Caller } from './caller.ts';

/** A test with the API of a sandbox of its own, logged in, and a hosted payment that was begun there. */
export const it = base
  .extend('api', async () => Caller.loggedIn())
  .extend('init', async ({ api }) => (await api.initpay()).json);
