import type { Env } from 'hono';
import { HonoBase } from 'hono/hono-base';
import { TrieRouter } from 'hono/router/trie-router';

/** An app of Hono with the one router that knows patterns such as ours; those that its presets begin with do not. */
export class Routes<E extends Env = Env> extends HonoBase<E> {
  constructor() {
    super({ router: new TrieRouter() });
  }
}
