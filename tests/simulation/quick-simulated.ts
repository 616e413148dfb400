/** Plays the quick histories in the simulated runtime and prints how they ended, as JSON. Arguments: seed and number. */
import { seeded } from '../support/seeded.ts';
import { playQuickHistories, type QuickAnswer, type Site } from './quick-histories.ts';
import { hookLoading } from './runtime/load.ts';

const [seed = '1', count = '200'] = process.argv.slice(2);
hookLoading();
const { CARD_TOKEN, prepare, World } = await import('./world.ts');
const world = new World(await prepare(), { seed: Number(seed) });

/** Waits for a call. The other histories of the group wait in the same way: whoever runs the world runs it for all. */
async function answered(call: {
  answer?: { status: number | 'lost'; body: Record<string, unknown> };
}): Promise<QuickAnswer> {
  while (call.answer === undefined) {
    if (running === undefined) {
      running = world.pass(50).finally(() => {
        running = undefined;
      });
    }
    await running;
  }
  return call.answer;
}

let running: Promise<void> | undefined;

const site: Site = {
  cardToken: CARD_TOKEN,
  call: (path, { bearer, ...how } = {}) =>
    answered(bearer === undefined ? world.merchant('aurora', path, how) : world.ask(path, bearer, how)),
  act: async (viewUrl, how) => {
    while (running !== undefined) await running;
    const acting = world.actOnPage(viewUrl, { ...how, falseErrorMs: 0 });
    running = acting
      .then(() => undefined)
      .finally(() => {
        running = undefined;
      });
    return acting;
  },
  comeBack: async (path) => {
    await answered(world.send(path, {}));
  },
  isBooked: (id) => world.truthOf(id)?.status === 'succeeded',
  kill: async () => world.restart('killed'),
  pause: () => world.pass(1_000),
};

process.stdout.write(JSON.stringify(await playQuickHistories(site, seeded(seed), Number(count))));
