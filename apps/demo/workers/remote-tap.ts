/**
 * The taps of the Workers that are not the hotel. What they record goes to the hotel's object through a binding; no
 * address leads there.
 */
import type { Exchange } from '../src/hood/exchange.ts';
import { type TapOptions, tap } from '../src/hood/tap.ts';
import { type LearnedSecret, TapSecrets } from './tap-secrets.ts';

/** The hotel's object, as far as a tap needs it. */
export interface Hood {
  record(exchange: Exchange): Promise<void>;
  /** Takes what this tap has learned and tells what all have. */
  share(fresh: readonly LearnedSecret[]): Promise<readonly LearnedSecret[]>;
}

const books = new Map<string, TapSecrets>();

/** The book of this isolate. @param configured Credentials by name, as JSON. */
export function secretsOf(configured: string): TapSecrets {
  let book = books.get(configured);
  if (book === undefined) {
    book = new TapSecrets(JSON.parse(configured));
    books.set(configured, book);
  }
  return book;
}

/** Answers one request with its traffic recorded. */
export function answerTapped(
  request: Request,
  options: {
    /** What answers without a tap. */
    readonly handler: () => Promise<Response>;
    readonly to: TapOptions['to'];
    readonly secrets: TapSecrets;
    readonly hood: Hood;
    readonly inBackground: (work: Promise<void>) => void;
  },
): Promise<Response> {
  const { handler, to, secrets, hood, inBackground } = options;
  let recorded: Promise<void> = Promise.resolve();
  const exchangeSecrets = async (): Promise<void> => secrets.adopt(await hood.share(secrets.takeFresh()));

  const tapped = tap(
    async () => {
      const answer = await handler();
      // What another tap learned meanwhile is looked for in this answer, too.
      if (to !== 'upstream') await exchangeSecrets().catch(logFault);
      return answer;
    },
    {
      to,
      secrets,
      // One after the other, or a late request would overwrite its own answer.
      record: (exchange) => (recorded = recorded.then(() => hood.record(exchange))),
      now: () => Date.now(),
      newId: () => crypto.randomUUID(),
      inBackground,
      onFault: logFault,
    },
  );
  return Promise.resolve(tapped(request)).then(async (answer) => {
    // Before a new token can turn up anywhere else, everybody looks for it.
    if (secrets.hasFresh) await exchangeSecrets().catch(logFault);
    return answer;
  });
}

function logFault(error: unknown): void {
  console.error(`demo: an exchange was not recorded: ${error instanceof Error ? error.message : String(error)}`);
}
