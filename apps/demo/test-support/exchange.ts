import type { Exchange } from '../src/wire-panel/exchange.ts';

/** An answered request of a browser to the hotel; `changes` say what is different. */
export function exchange(changes: Partial<Exchange> = {}): Exchange {
  return {
    id: 'x1',
    from: 'browser',
    to: 'hotel',
    method: 'GET',
    path: '/',
    caption: 'The guest opens the hotel’s page',
    kind: 'call',
    about: [],
    startedAt: 0,
    durationMs: 5,
    state: 'answered',
    request: { headers: {}, body: null },
    answer: { status: 200, headers: {}, body: null },
    ...changes,
  };
}
