/** The Cap'n Proto configuration of a local runtime. The self-hosting guide shows the same file, written by hand. */

/** What the configuration is made from. */
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

const OBJECTS = [
  { binding: 'ACCESS_TOKENS', className: 'AccessTokenObject' },
  { binding: 'CHECKOUT_SESSIONS', className: 'CheckoutSessionObject' },
  { binding: 'MONEY_OPERATIONS', className: 'MoneyOperationObject' },
  { binding: 'LEDGERS', className: 'LedgerObject' },
  { binding: 'ID_KEYS', className: 'IdKeyObject' },
] as const;

/** The file's text. The unique keys name the storage: never change one that has data. */
export function toWorkerdConfig({ port, bundle, storageDir, assetsDir, names }: WorkerdConfigInput): string {
  const text = names.map((name) => `    (name = ${quote(name)}, fromEnvironment = ${quote(name)}),`);
  const bindings = OBJECTS.map(
    ({ binding, className }) => `    (name = "${binding}", durableObjectNamespace = "${className}"),`,
  );
  const namespaces = OBJECTS.map(
    ({ className }) => `    (className = "${className}", uniqueKey = "innkeep-${className}", enableSql = true),`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "proxy", worker = .proxy),
    # Loopback too: the payment service and the webhooks of a trial run on this machine.
    (name = "internet", network = (allow = ["public", "private", "local"], tlsOptions = (trustBrowserCas = true))),
    (name = "storage", disk = (path = ${quote(storageDir)}, writable = true)),
    (name = "assets", disk = ${quote(assetsDir)}),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "proxy")],
);

const proxy :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed ${quote(bundle)})],
  compatibilityDate = "2026-09-01",
  bindings = [
    (name = "ASSETS", service = "assets"),
${[...bindings, ...text].join('\n')}
  ],
  durableObjectNamespaces = [
${namespaces.join('\n')}
  ],
  durableObjectStorage = (localDisk = "storage"),
);
`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
