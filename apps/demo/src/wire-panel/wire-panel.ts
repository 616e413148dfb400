/** What the wire panel is made of, whatever it runs on. */
import type { ExchangeJournal } from './journal.ts';
import type { SandboxControlPort } from './sandbox-control-port.ts';
import type { SecretBook } from './secret-book.ts';
import type { TapOptions } from './tap.ts';

/** The parts of the panel. */
export interface WirePanel {
  readonly journal: ExchangeJournal;
  readonly secrets: SecretBook;
  readonly control: SandboxControlPort;
  /** Digits of the test cards that pages print for everybody to use. */
  readonly printedCards?: readonly string[];
  /** The hotel's clock. */
  readonly clock: { now(): Date; advance(ms: number): void | Promise<void> };
  /** Told of what went wrong while recording. */
  readonly onFault?: (error: unknown) => void;
  /** Keeps the process alive until an answer is recorded. */
  readonly inBackground?: (work: Promise<void>) => void;
}

/** The parts that a tap needs. */
export interface Recorder extends Omit<WirePanel, 'control' | 'clock' | 'journal'> {
  readonly journal: Pick<ExchangeJournal, 'put'>;
}

/** What a tap in front of `to` needs. The panel's own requests are left out, and so is control of the simulator. */
export function tapOptions(wirePanel: Recorder, to: TapOptions['to']): TapOptions {
  return {
    to,
    secrets: wirePanel.secrets,
    record: (exchange) => wirePanel.journal.put(exchange),
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    ignores: (request) => isOwn(new URL(request.url).pathname),
    ...(wirePanel.printedCards === undefined ? {} : { printedCards: wirePanel.printedCards }),
    ...(wirePanel.onFault === undefined ? {} : { onFault: wirePanel.onFault }),
    ...(wirePanel.inBackground === undefined ? {} : { inBackground: wirePanel.inBackground }),
  };
}

function isOwn(pathname: string): boolean {
  return /^\/wire(?:\/|$)|^\/public\/wire-panel\.|\/__sandbox\/(?!assets\/)/.test(pathname);
}
