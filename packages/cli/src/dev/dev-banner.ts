import type { MagicRow } from '@innkeep/sandbox';

/** What you read first: where things are, and what to pay with. */
export interface DevFacts {
  readonly siteUrl: string;
  readonly stack: { readonly proxyUrl: string; readonly sandboxUrl: string; readonly magic: readonly MagicRow[] };
  readonly envFile: string;
  readonly logFile: string;
  readonly forwardTo: string | undefined;
  readonly hasCommand: boolean;
  /** The time, where it can be moved. */
  readonly clock: Date | undefined;
}

// What everybody tries first; the sandbox’s page shows them all.
const SHOWN = ['approved', 'declined', 'insufficient-funds', 'surcharged', 'slow'];

/** The text that `innkeep dev` begins with. No secret is in it: keys are named by their file. */
export function devBanner({ siteUrl, stack, envFile, logFile, forwardTo, hasCommand, clock }: DevFacts): string {
  const { proxyUrl, sandboxUrl, magic } = stack;
  const rows: readonly (readonly [string, string, string])[] = [
    ['Your site', siteUrl, hasCommand ? 'starting now' : 'start it yourself; --port names another port'],
    ['Proxy', proxyUrl, 'holds the credentials, watches every payment'],
    ['API', `${proxyUrl}/openapi.json`, 'every route that your server may call, as OpenAPI'],
    ['Sandbox', `${sandboxUrl}/__sandbox/ledger`, 'plays the payment service; no money moves'],
    [
      'Webhooks',
      forwardTo ?? 'shown here',
      forwardTo === undefined ? '--forward-to sends them to your site' : 'sent to your site',
    ],
    ...(clock === undefined ? [] : [['Clock', clock.toISOString(), 'innkeep clock +1h moves it'] as const]),
    ['Keys', envFile, 'for your server; keep it out of version control'],
    ['Log', logFile, 'of the proxy'],
  ];
  const width = Math.max(...rows.map(([, value]) => value.length));
  return [
    '',
    ...rows.map(([name, value, note]) => `  ${name.padEnd(10)} ${value.padEnd(width)}  ${note}`),
    '',
    '  Cards, with any future date and any security code:',
    ...shownCards(magic).map(({ input, effect }) => `    ${input.replace(/(\d{4})(?=\d)/g, '$1 ')}   ${effect}`),
    '',
    `ready ${proxyUrl}      stop with Ctrl-C`,
    '',
  ].join('\n');
}

/** The same for a program, as one line of JSON. */
export function devJson({ siteUrl, stack, envFile, logFile, forwardTo, clock }: DevFacts): string {
  const { proxyUrl, sandboxUrl, magic } = stack;
  return JSON.stringify({
    ...{ siteUrl, proxyUrl, openApiUrl: `${proxyUrl}/openapi.json`, ledgerUrl: `${sandboxUrl}/__sandbox/ledger` },
    ...{ forwardTo: forwardTo ?? null, now: clock?.toISOString() ?? null, envFile, logFile },
    cards: shownCards(magic).map(({ input, effect }) => ({ number: input, effect })),
  });
}

function shownCards(magic: readonly MagicRow[]): readonly MagicRow[] {
  return SHOWN.flatMap((name) => magic.find(({ lever, scenario }) => lever === 'card' && scenario === name) ?? []);
}
