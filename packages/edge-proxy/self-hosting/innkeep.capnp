# The proxy on your own machine: the bundle that Cloudflare would run, under `workerd serve`. Made by the build.
# The guide is docs/guides/self-hosting.md. Give each hotel a line like that of PROPERTY_AURORA.

using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "proxy", worker = .proxy),
    # Public addresses only: a payment service or webhook that resolves into your network is refused.
    (name = "internet", network = (allow = ["public"], tlsOptions = (trustBrowserCas = true))),
    # Everything the proxy stores. Give it a disk that survives, and one process only.
    (name = "storage", disk = (path = "data", writable = true)),
    (name = "assets", disk = "assets"),
  ],
  # Short pauses for garbage, with thousands of payments under way.
  v8Flags = ["--max-semi-space-size=1", "--initial-old-space-size=48"],
  # Loopback: TLS, and limits by address, belong to the web server in front.
  sockets = [(name = "http", address = "127.0.0.1:8787", http = (), service = "proxy")],
);

const proxy :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js"), (name = "back-office-resources.part.js", esModule = embed "back-office-resources.part.js"), (name = "calls.part.js", esModule = embed "calls.part.js"), (name = "html.part.js", esModule = embed "html.part.js"), (name = "page-resources.part.js", esModule = embed "page-resources.part.js"), (name = "proxy.part.js", esModule = embed "proxy.part.js"), (name = "qr-svg.part.js", esModule = embed "qr-svg.part.js"), (name = "shared.part.js", esModule = embed "shared.part.js"), (name = "telemetry.part.js", esModule = embed "telemetry.part.js"), (name = "transport.part.js", esModule = embed "transport.part.js")],
  compatibilityDate = "2026-09-01",
  bindings = [
    (name = "ASSETS", service = "assets"),
    (name = "ACCESS_TOKENS", durableObjectNamespace = "AccessTokenObject"),
    (name = "CHECKOUT_SESSIONS", durableObjectNamespace = "CheckoutSessionObject"),
    (name = "MONEY_OPERATIONS", durableObjectNamespace = "MoneyOperationObject"),
    (name = "LEDGERS", durableObjectNamespace = "LedgerObject"),
    (name = "ID_KEYS", durableObjectNamespace = "IdKeyObject"),
    (name = "PROPERTIES", durableObjectNamespace = "PropertyObject"),
    (name = "DIRECTORIES", durableObjectNamespace = "PropertyDirectoryObject"),
    (name = "FEEDS", durableObjectNamespace = "PlatformFeedObject"),
    (name = "PUBLIC_URL", fromEnvironment = "PUBLIC_URL"),
    (name = "CLIENT_ADDRESS_HEADER", fromEnvironment = "CLIENT_ADDRESS_HEADER"),
    (name = "SEALING_KEYS", fromEnvironment = "SEALING_KEYS"),
    (name = "OTEL_EXPORTER_OTLP_ENDPOINT", fromEnvironment = "OTEL_EXPORTER_OTLP_ENDPOINT"),
    (name = "OTEL_EXPORTER_OTLP_HEADERS", fromEnvironment = "OTEL_EXPORTER_OTLP_HEADERS"),
    (name = "OTEL_SERVICE_NAME", fromEnvironment = "OTEL_SERVICE_NAME"),
    (name = "OTEL_TRACES_SAMPLER_ARG", fromEnvironment = "OTEL_TRACES_SAMPLER_ARG"),
    (name = "LEDGER_MAX_BYTES", fromEnvironment = "LEDGER_MAX_BYTES"),
    (name = "PROPERTY_AURORA", fromEnvironment = "PROPERTY_AURORA"),
  ],
  # The unique keys name the storage. Never change them once there is data.
  durableObjectNamespaces = [
    (className = "AccessTokenObject", uniqueKey = "innkeep-AccessTokenObject", enableSql = true),
    (className = "CheckoutSessionObject", uniqueKey = "innkeep-CheckoutSessionObject", enableSql = true),
    (className = "MoneyOperationObject", uniqueKey = "innkeep-MoneyOperationObject", enableSql = true),
    (className = "LedgerObject", uniqueKey = "innkeep-LedgerObject", enableSql = true),
    (className = "IdKeyObject", uniqueKey = "innkeep-IdKeyObject", enableSql = true),
    (className = "PropertyObject", uniqueKey = "innkeep-PropertyObject", enableSql = true),
    (className = "PropertyDirectoryObject", uniqueKey = "innkeep-PropertyDirectoryObject", enableSql = true),
    (className = "PlatformFeedObject", uniqueKey = "innkeep-PlatformFeedObject", enableSql = true),
  ],
  durableObjectStorage = (localDisk = "storage"),
);
