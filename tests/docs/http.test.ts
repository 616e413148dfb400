// The page “HTTP, from any language” as it stands there: each curl line against the real proxy, with the answer that the page shows; then
// Python, with nothing but the page's own files, to a refund after a verified webhook; and one vector for all.
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SCOPES } from '@innkeep/core/contract';
import { currencyCodes, currencyExponent } from '@innkeep/core/values';
import { signWebhook } from '@innkeep/core/webhooks';
import { afterAll, describe, expect, test } from 'vitest';
import { blocksOfMarkdown } from '../../scripts/check-snippets.ts';
import { freePort, ROOT } from '../../scripts/launch.ts';
import { askProxy } from '../support/ask-proxy.ts';
import { payOnHostedPage, press, visit } from '../support/form-guest.ts';
import { startMoneyStack, until } from '../support/money-stack.ts';
import { ownFolder } from '../support/own-folder.ts';
import { startProgram } from '../support/program.ts';
import { sendForgedWebhooks } from './forged-webhooks.ts';

const run = promisify(execFile);
const GUIDE = 'docs/guides/http.md';
const PAGE = readFileSync(join(ROOT, GUIDE), 'utf8');
const FILES = blocksOfMarkdown(GUIDE, PAGE).flatMap(({ title, code }) =>
  title === undefined ? [] : [{ title, code }],
);
const KEY = `sk_test_${'k'.repeat(32)}`;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** What a reader does one after the other: a command, whose answer is shown below it, or to be a guest who pays. */
type Step =
  | { readonly command: string; readonly answer?: string; readonly isJson?: boolean }
  | { readonly guestOf: string; readonly card: string };

const STEPS: readonly Step[] = [
  ...PAGE.matchAll(
    /```sh\n(?<command>[\s\S]*?)\n```(?:\n\n```(?<kind>json|text)\n(?<answer>[\s\S]*?)\n```)?|<!-- the guest of (?<guestOf>\w+) pays with (?<card>\d+) -->/g,
  ),
].flatMap(({ groups = {} }): Step[] => {
  const { command, kind, answer, guestOf, card } = groups;
  if (guestOf !== undefined) return [{ guestOf, card: card ?? '' }];
  if (command === undefined || command.startsWith('export')) return [];
  return [{ command, ...(answer !== undefined && { answer, isJson: kind === 'json' }) }];
});

/** What differs from run to run, by its form. */
const FORMS: readonly RegExp[] = [
  /^(cs|ch|rv|ev|ds)_[0-9A-Z]{26}$/,
  /^ds_[0-9A-Z]{26}_[a-z]+_[\w-]{43}$/,
  /^cs_[0-9A-Z]{26}_[\w-]{43}$/,
  /^https?:\/\/[\w.:]+\/pay\/cs_[0-9A-Z]{26}_[\w-]{43}(\/qr\.svg)?$/,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  /^[0-9A-Z]{15,26}$/,
  /^[0-9a-f]{32}$/,
  /^(hotel\.example|127\.0\.0\.1:\d+)$/,
];

interface Operation {
  readonly responses: Readonly<Record<string, { content?: Record<string, { example?: unknown }> }>>;
}
const DOCUMENT = JSON.parse(readFileSync(join(ROOT, 'packages/edge-proxy/dist/assets/openapi.json'), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

const folder = ownFolder();
/** What stands here for what stands on the page. */
const meant = new Map<string, string>([['aurora', 'storm']]);
/** Every JSON that came, by its command. */
const answers: (readonly [command: string, answer: unknown])[] = [];

for (const { title, code } of FILES) writeFileSync(join(folder, title), `${code}\n`);
const port = await freePort();
const hook = `http://127.0.0.1:${port}/hooks`;
const stack = await startMoneyStack({
  property: {
    displayName: 'Hotel Aurora',
    origins: ['https://hotel.example'],
    deskOrigins: ['https://office.example'],
    livemode: false,
    merchantKeys: [
      {
        id: 'web',
        sha256: createHash('sha256').update(KEY).digest('hex'),
        scopes: SCOPES.filter((scope) => scope !== 'moto'),
      },
    ],
    webhooks: [{ url: hook, secret: SECRET }],
    gateway: { apiKey: '0123456789'.repeat(4), allow: ['RMS/keepalivereq'] },
  },
});
afterAll(() => stack.close());
const environment = {
  PATH: process.env.PATH,
  INNKEEP_ENDPOINT: stack.proxyUrl,
  INNKEEP_SECRET_KEY: KEY,
  INNKEEP_WEBHOOK_SECRET: SECRET,
};
/** The page's server of webhooks. */
const hooks = startProgram('python3', ['hooks.py'], { cwd: folder, env: { ...environment, PORT: String(port) } });
afterAll(() => hooks.stop());

/** The example of a signature is whole as it stands: what it names is nothing of this run. */
const isVector = (command: string): boolean => command.startsWith('SECRET=');

/** The reader's shell: one for all commands, because starting each from here costs more than what it does. */
function openShell(): { run: (command: string) => Promise<string>; close: () => void } {
  const shell = spawn('bash', { cwd: folder, env: environment, stdio: ['pipe', 'pipe', 'inherit'] });
  shell.stdout.setEncoding('utf8');
  return {
    run: (command) =>
      new Promise((resolve) => {
        let output = '';
        const listen = (chunk: string): void => {
          output += chunk;
          if (!output.endsWith('\nthat was all\n')) return;
          shell.stdout.off('data', listen);
          resolve(output.slice(0, -'\nthat was all\n'.length));
        };
        shell.stdout.on('data', listen);
        shell.stdin.write(`${command}\nprintf '\\nthat was all\\n'\n`);
      }),
    close: () => shell.kill(),
  };
}

/** Runs a program of the page in the reader's folder. */
async function reader(program: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run(program, args, { cwd: folder, env: environment });
  return stdout;
}

/** What the page's words mean in this run. The longest first: one id is a part of another. */
function translated(text: string): string {
  return [...meant]
    .sort(([one], [other]) => other.length - one.length)
    .reduce((words, [shown, real]) => words.replaceAll(shown, real), text);
}

/** Holds an answer of the page against the real one; the page leaves members out, and names what it names here otherwise. */
function compare(shown: unknown, real: unknown, path = 'answer'): void {
  if (typeof shown === 'object' && shown !== null) {
    expect(real, path).toBeTypeOf('object');
    for (const [name, value] of Object.entries(shown)) {
      compare(value, Object(real)[name], `${path}.${name}`);
    }
    return;
  }
  if (typeof shown !== 'string' || typeof real !== 'string' || translated(shown) === real) {
    expect(real, path).toEqual(typeof shown === 'string' ? translated(shown) : shown);
    return;
  }
  const isSameForm = FORMS.some((form) => form.test(shown) && form.test(real));
  expect(isSameForm ? 'the same form' : real, path).toBe(isSameForm ? 'the same form' : shown);
  if (!/^\d{4}-|^[0-9a-f]{32}$/.test(shown)) meant.set(shown, real);
}

/** Acts for a guest on the payment service's page, as one without scripts would. */
async function pay(clientSecret: string, card: string): Promise<void> {
  const body = { presentation: 'redirect', terms: 1 };
  const started = await askProxy(`${stack.proxyUrl}/v1/checkout/start`, clientSecret, { body });
  const { viewUrl } = (await started.json()) as { viewUrl: string };
  const form = new URLSearchParams({ action: 'pay', cardNumber: card, expiry: '12/39', cvc: '123', cardholder: '' });
  const answer = await fetch(viewUrl, { method: 'POST', body: form, redirect: 'manual' });
  await fetch(new URL(answer.headers.get('location') ?? '', viewUrl), { redirect: 'manual' });
}

function methodOf(command: string): string {
  return / -X (\w+)/.exec(command)?.[1] ?? (/ (?:-d|--json) /.test(command) ? 'POST' : 'GET');
}

test('each route that a server or a page may call has its line', () => {
  // What only the payment service's page and the proxy's own pages lead to.
  const routes = Object.entries(DOCUMENT.paths)
    .filter(([path]) => !/^\/(return|pages\.css|desk)/.test(path))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => [path, method.toUpperCase()] as const))
    // The form of the page itself.
    .filter(([path, method]) => path !== '/pay/{linkId}' || method === 'GET');
  const commands = STEPS.flatMap((step) => ('command' in step ? step.command.split(/^(?=curl )/m) : []));
  const missing = routes.filter(([path, method]) => {
    const form = path
      .replace('{protocol}/{method}', 'RMS/\\w+')
      .replace('{key}', 'RES-\\d+')
      .replace(/\{\w+\}/g, '\\w{2}_[\\w-]+');
    const address = new RegExp(`${form}(["?\\s]|$)`, 'm');
    return !commands.some((command) => methodOf(command) === method && address.test(command));
  });
  expect(missing, 'docs/guides/http.md has no curl line for these').toEqual([]);
});

test('each curl line answers what the page shows, one after the other', async () => {
  const shell = openShell();
  for (const step of STEPS) {
    if ('guestOf' in step) {
      const secret = [...meant].find(([shown]) => shown.startsWith(`${step.guestOf}_`))?.[1] ?? '';
      await pay(secret, step.card);
      continue;
    }
    const { command, answer, isJson } = step;
    // The lists and the feed follow a moment behind.
    const isList =
      /\/v1\/(checkout-sessions|reversals|charges|payments)\?|\/v1\/payments\/|\/v1\/events\?|\/refresh"/.test(command);
    await until(
      async () => {
        const line = isVector(command) ? command : translated(command);
        const output = await shell.run(line.replaceAll(/\bcurl\b/g, 'curl -sS'));
        try {
          if (isJson) {
            compare(JSON.parse(answer ?? ''), JSON.parse(output));
            answers.push([translated(command), JSON.parse(output)]);
          } else for (const line of (answer ?? '').split('\n')) expect(output, command).toContain(line);
        } catch (error) {
          if (!isList) throw error;
          return error;
        }
        return undefined;
      },
      (error) => error === undefined,
    );
  }
  shell.close();
});

/** Members of both, however deep, and what code reads of them. */
function outline(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(outline);
  if (typeof value !== 'object' || value === null) return '';
  const entries = Object.entries(value).map(([name, each]) => [
    name,
    ['object', 'status', 'final', 'kind'].includes(name) ? each : outline(each),
  ]);
  return Object.fromEntries(entries);
}

test('the examples of the OpenAPI document are such answers', () => {
  const seen = new Map<string, [example: unknown, real: unknown]>();
  for (const [command, real] of answers) {
    const method = methodOf(command).toLowerCase();
    const address = /\$INNKEEP_ENDPOINT([^"?]*)/.exec(command)?.[1] ?? '';
    const [path = '', operation] =
      Object.entries(DOCUMENT.paths).find(
        ([each, methods]) => method in methods && new RegExp(`^${each.replace(/\{\w+\}/g, '[^/]+')}$`).test(address),
      ) ?? [];
    const [success] = Object.entries(operation?.[method]?.responses ?? {}).find(([status]) => /^2/.test(status)) ?? [];
    const example = operation?.[method]?.responses[success ?? '']?.content?.['application/json']?.example;
    // A failure, or what guests see, which another state of the session has other members in.
    if (Object(real).code !== undefined || example === undefined || path === '/v1/checkout') continue;
    if (!seen.has(`${method} ${path}`)) seen.set(`${method} ${path}`, [example, real]);
  }
  expect(seen.size).toBeGreaterThan(15);
  for (const [route, [example, real]] of seen) {
    // What is absent from one kind of payment is not looked into: surcharges, and what an event is about.
    const drop = (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value, (name, each) =>
          ['surcharge', 'data'].includes(name) && !Array.isArray(each) ? '' : each,
        ),
      );
    expect(outline(drop(example)), `${route}: the example in core contract/`).toEqual(outline(drop(real)));
  }
});

test('Python alone makes a session, its link, the payment, a verified webhook, a refund and a charge', async () => {
  const [id = '', link = ''] = (await reader('python3', 'deposit.py')).trim().split('\n');
  await payOnHostedPage(await press(await visit(link), /./));
  await until(
    async () => {
      // The guest's page, which waits for the result.
      await fetch(link);
      return hooks.output();
    },
    (text) => text.includes('RES-6000 is succeeded'),
  );
  expect(await reader('python3', 'later.py', id, await stack.storeCard())).toBe('refund succeeded\ncharge succeeded\n');
});

test('a webhook that the proxy did not sign is refused by the receiver', () => sendForgedWebhooks({ url: hook }));

describe('the vector', () => {
  const block = STEPS.flatMap((step) => ('command' in step && isVector(step.command) ? [step] : []))[0];
  const value = (name: string): string => new RegExp(`^${name}='?(.*?)'?$`, 'm').exec(block?.command ?? '')?.[1] ?? '';

  test('is what the proxy signs', async () => {
    const timestamp = new Date(Number(value('TIMESTAMP')) * 1000);
    const signed = await signWebhook({ id: value('ID'), timestamp, body: value('BODY'), secret: value('SECRET') });
    expect(new Headers(signed as Record<string, string>).get('webhook-signature')).toBe(block?.answer);
  });

  test('is what Python makes of it', async () => {
    const words = [value('SECRET'), value('ID'), value('TIMESTAMP'), value('BODY')];
    const python = 'import sys; from innkeep import signature; print(signature(*sys.argv[1:4], sys.argv[4].encode()))';
    expect((await reader('python3', '-c', python, ...words)).trim()).toBe(block?.answer);
  });
});

test('amounts of Python are those of ISO 4217, and a float is not sent', async () => {
  const codes = currencyCodes();
  const python = `
import json, os
from innkeep import amount, innkeep
print(json.dumps([amount("12", code)["value"] for code in ${JSON.stringify(codes)}]))
for wrong in (240.0, "240,00", "1.234", "-5", ""):
    try: amount(wrong, "EUR")
    except ValueError: print("refused")
try: innkeep("POST", "/v1/checkout-sessions", {"amount": {"value": 240.0}})
except ValueError as error: print(error)
os.environ["INNKEEP_ENDPOINT"] += "/"
print(innkeep("GET", "/healthz")["status"])
`;
  const [values = '', ...rest] = (await reader('python3', '-c', python)).trim().split('\n');
  expect(JSON.parse(values)).toEqual(codes.map((code) => 12 * 10 ** (currencyExponent(code) ?? Number.NaN)));
  const refused = Array.from({ length: 5 }, () => 'refused');
  expect(rest).toEqual([...refused, expect.stringContaining('240.0 is a float'), 'ok']);
});
