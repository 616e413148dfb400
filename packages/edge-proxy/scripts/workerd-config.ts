/** The configuration of a local runtime: the self-hosting guide's file with paths, port and variables of one's own. */
import { readFileSync } from 'node:fs';

/** What is this runtime's own. */
export interface WorkerdConfigInput {
  readonly port: number;
  /** Path of the built worker, relative to the configuration file: an absolute one would be looked up elsewhere. */
  readonly bundle: string;
  readonly storageDir: string;
  /** Folder of the files that are served as they are. */
  readonly assetsDir: string;
  /** Names of variables that the worker takes from the runtime's environment. Their values never reach this file. */
  readonly names: readonly string[];
}

const GUIDE = new URL('../self-hosting/innkeep.capnp', import.meta.url);

/** The file's text. */
export function toWorkerdConfig({ port, bundle, storageDir, assetsDir, names }: WorkerdConfigInput): string {
  const variables = names.map((name) => `    (name = "${name}", fromEnvironment = "${name}"),\n`).join('');
  const own: readonly [theirs: string | RegExp, ours: string][] = [
    // Loopback too: the payment service and the webhooks of a trial run on this machine.
    ['allow = ["public"]', 'allow = ["public", "private", "local"]'],
    ['path = "data"', `path = ${JSON.stringify(storageDir)}`],
    ['disk = "assets"', `disk = ${JSON.stringify(assetsDir)}`],
    ['127.0.0.1:8787', `127.0.0.1:${port}`],
    ['embed "worker.js"', `embed ${JSON.stringify(bundle)}`],
    [/( *# One line for each hotel.\n| *\(name = "\w+", fromEnvironment = "\w+"\),\n)+/, variables],
  ];
  return own.reduce((text, [theirs, ours]) => text.replace(theirs, () => ours), readFileSync(GUIDE, 'utf8'));
}
