/** The configuration of a local runtime: the self-hosting guide's file with paths, port and variables of one's own. */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

/** What is this runtime's own. */
export interface WorkerdConfigInput {
  /** IP address to listen on. @default 127.0.0.1 */
  readonly host?: string;
  readonly port: number;
  /** Path of the built worker, relative to the configuration file: an absolute one would be looked up elsewhere. */
  readonly bundle: string;
  readonly storageDir: string;
  /** Folder of the files that are served as they are. */
  readonly assetsDir: string;
  /** Names of variables that the worker takes from the runtime's environment. Their values never reach this file. */
  readonly names: readonly string[];
  /** Path of the module that gives the worker a clock, likewise. */
  readonly clock?: string | undefined;
  /** Whether the payment service and the webhooks may be on this machine or in its network, as those of a trial are. */
  readonly allowsPrivateNetwork: boolean;
}

const GUIDE = new URL('../../self-hosting/innkeep.capnp', import.meta.url);

/** The file's text. */
export function toWorkerdConfig(input: WorkerdConfigInput): string {
  const { host = '127.0.0.1', port, bundle, clock, storageDir, assetsDir, names } = input;
  const variables = names.map((name) => `    (name = "${name}", fromEnvironment = "${name}"),\n`).join('');
  const own: readonly [theirs: string | RegExp, ours: string][] = [
    ['allow = ["public"]', `allow = ["public"${input.allowsPrivateNetwork ? ', "private", "local"' : ''}]`],
    ['path = "data"', `path = ${JSON.stringify(storageDir)}`],
    ['disk = "assets"', `disk = ${JSON.stringify(assetsDir)}`],
    ['127.0.0.1:8787', toAuthority(host, port)],
    ['modules = [', `modules = [${clock === undefined ? '' : clockModule(clock)}`],
    ['embed "worker.js"', `embed ${JSON.stringify(bundle)}`],
    [/( *# One line for each hotel.\n| *\(name = "\w+", fromEnvironment = "\w+"\),\n)+/, variables],
  ];
  return own.reduce((text, [theirs, ours]) => text.replace(theirs, () => ours), readFileSync(GUIDE, 'utf8'));
}

/** An address with its port, as URLs and the runtime write it. */
export function toAuthority(host: string, port: number): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The first module is the worker; this one imports the bundle by the name that it has beside it. */
function clockModule(path: string): string {
  return `(name = "clock/worker-clock.js", esModule = embed ${JSON.stringify(path)}), `;
}
