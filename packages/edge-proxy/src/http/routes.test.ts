import { TrieRouter } from 'hono/router/trie-router';
import { expect, it, vi } from 'vitest';
import { Routes } from './routes.ts';

/** An app, and how often its patterns were searched for a path. */
function app() {
  const search = vi.spyOn(TrieRouter.prototype, 'match').mockClear();
  const routes = new Routes()
    .use(async (_, next) => next())
    .get('/plain/*', (c) => c.text('plain'))
    .get('/of/:id', (c) => c.text(c.req.param('id')));
  const ask = async (path: string): Promise<string> => (await routes.request(path)).text();
  return { ask, searches: (): number => search.mock.calls.length };
}

it('searches once for an address without parameters, and for one with parameters each time', async () => {
  const { ask, searches } = app();
  for (let time = 0; time < 3; time++) expect(await ask('/plain/a')).toBe('plain');
  expect(searches()).toBe(1);
  for (const id of ['1', '2', '1']) expect(await ask(`/of/${id}`)).toBe(id);
  expect(searches()).toBe(4);
});

it('remembers a hundred addresses, so that nobody can fill its memory', async () => {
  const { ask, searches } = app();
  for (let n = 0; n < 101; n++) await ask(`/plain/${n}`);
  for (const n of [0, 99, 100]) await ask(`/plain/${n}`);
  expect(searches()).toBe(102);
});
