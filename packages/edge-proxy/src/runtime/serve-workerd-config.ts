/** The configuration of the local runtime. The file of the self-hosting guide is made of it, too. */
import { readdirSync } from 'node:fs';
import { isIP } from 'node:net';
import { basename, dirname, join, relative } from 'node:path';

/** What is this runtime's own. */
export interface WorkerdConfigInput {
  /** IP address to listen on. @default 127.0.0.1 */
  readonly host?: string;
  readonly port: number;
  /** Paths of the built worker and of its parts, relative to the configuration file: absolute ones would be looked up elsewhere. */
  readonly modules: readonly [worker: string, ...parts: string[]];
  readonly storageDir: string;
  /** Folder of the files that are served as they are. */
  readonly assetsDir: string;
  /** Names of variables that the worker takes from the runtime's environment. Their values never reach this file. */
  readonly names: readonly string[];
  /** Path of the module that serves in front of the worker, likewise. */
  readonly front?: string | undefined;
  /** Whether the payment service and the webhooks may be on this machine or in its network, as those of a trial are. */
  readonly allowsPrivateNetwork: boolean;
}

/** The date whose behavior of the runtime the proxy is made for; `wrangler.jsonc` says the same. */
const COMPATIBILITY_DATE = '2026-09-01';

/**
 * Everybody waits during a garbage collection: thousands of objects that sleep and wake leave much of it, and the heap that V8
 * chooses by itself makes pauses of 20 to 200 ms.
 */
export const V8_FLAGS = '["--max-semi-space-size=1", "--initial-old-space-size=48"]';

/** Each binding of objects with its class. */
const OBJECTS = {
  ACCESS_TOKENS: 'AccessTokenObject',
  CHECKOUT_SESSIONS: 'CheckoutSessionObject',
  MONEY_OPERATIONS: 'MoneyOperationObject',
  LEDGERS: 'LedgerObject',
  ID_KEYS: 'IdKeyObject',
  PROPERTIES: 'PropertyObject',
  DIRECTORIES: 'PropertyDirectoryObject',
  FEEDS: 'PlatformFeedObject',
} as const;

/** The file's text. */
export function toWorkerdConfig(input: WorkerdConfigInput): string {
  const { host = '127.0.0.1', port, front, storageDir, assetsDir, names, allowsPrivateNetwork } = input;
  const networks = ['public', ...(allowsPrivateNetwork ? ['private', 'local'] : [])];
  const [worker, ...parts] = input.modules;
  const embedded = (path: string, name = basename(path)) => `(name = "${name}", esModule = embed ${quoted(path)})`;
  const modules = [
    // The first module is the one that serves; it imports the worker by its name in this list.
    ...(front === undefined ? [] : [embedded(front)]),
    embedded(worker, 'worker.js'),
    ...parts.map((part) => embedded(part)),
  ];
  const bindings = [
    '(name = "ASSETS", service = "assets")',
    ...Object.entries(OBJECTS).map(([name, type]) => `(name = "${name}", durableObjectNamespace = "${type}")`),
    ...names.map((name) => `(name = "${name}", fromEnvironment = "${name}")`),
  ];
  const namespaces = Object.values(OBJECTS).map(
    (type) => `(className = "${type}", uniqueKey = "innkeep-${type}", enableSql = true)`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "proxy", worker = .proxy),
    # Public addresses only: a payment service or webhook that resolves into your network is refused.
    (name = "internet", network = (allow = [${networks.map(quoted).join(', ')}], tlsOptions = (trustBrowserCas = true))),
    # Everything the proxy stores. Give it a disk that survives, and one process only.
    (name = "storage", disk = (path = ${quoted(storageDir)}, writable = true)),
    (name = "assets", disk = ${quoted(assetsDir)}),
  ],
  # Short pauses for garbage, with thousands of payments under way.
  v8Flags = ${V8_FLAGS},
  # Loopback: TLS, and limits by address, belong to the web server in front.
  sockets = [(name = "http", address = "${toAuthority(host, port)}", http = (), service = "proxy")],
);

const proxy :Workerd.Worker = (
  modules = [${modules.join(', ')}],
  compatibilityDate = "${COMPATIBILITY_DATE}",
  bindings = [
${lines(bindings)}  ],
  # The unique keys name the storage. Never change them once there is data.
  durableObjectNamespaces = [
${lines(namespaces)}  ],
  durableObjectStorage = (localDisk = "storage"),
);
`;
}

/** The paths of a built worker and of the parts beside it, relative to a folder. */
export function modulesOf(worker: string, folder: string): WorkerdConfigInput['modules'] {
  const beside = dirname(worker);
  const parts = readdirSync(beside).filter((file) => file.endsWith('.part.js'));
  return [relative(folder, worker), ...parts.map((file) => relative(folder, join(beside, file)))];
}

/** An address with its port, as URLs and the runtime write it. */
export function toAuthority(host: string, port: number): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

function lines(items: readonly string[]): string {
  return items.map((item) => `    ${item},\n`).join('');
}
