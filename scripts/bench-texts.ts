// Whether a long text can stop the process: `pnpm bench texts` tries every regular expression of the packages, and every
// function that reads texts from outside, on the worst 1 MB that it finds. Fails when one of them takes 50 ms.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './launch.ts';

const LIMIT_MS = 50;
const SHORT = 5_000;
const LONG = 1_048_576;

type Work = (text: string) => unknown;

/** What texts begin with, what they repeat, and what they end with: so that a search fails as late as it can. */
const HEADS = ['', '1', 'a', '"', 'https://a', 'Bearer', '<?xml', 'PAYOBJID='];
const UNITS = [
  ...' \t\n\r.,;:-_/\\|"\'`=+*#?&%@!$^~<>()[]{}0149aAxzZ\u0000\u00a0\u00fc\u2028\ud83d',
  ...[
    '1 ',
    '1-',
    '4242 ',
    '4242424242424242 ',
    'a ',
    'a1',
    'a,',
    'a=',
    'a.',
    'a-',
    'a/',
    '%4',
    '%41',
    '\u001b[',
    '\u001b[1;',
    '\u009b',
  ],
  ...[
    'Bearer ',
    'Basic a ',
    'authorization: ',
    'authorization:Bearer ',
    'OBJID=',
    '\\"',
    '<a ',
    '<!--',
    '&amp;',
    '//',
    '/*',
    '=1&',
    '\r\n',
    ';\t',
    '\t;',
  ],
];
const TAILS = ['', '\u0001'];

/** A regular expression as it stands in a source: after what no operand can stand before. */
const LITERAL =
  /(?<=(?:^|[=(,:[!&|?{};>]|return)\s*)\/(?![*/])((?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/gm;

function literals(): Map<string, Work> {
  const found = new Map<string, Work>();
  const files = globSync('{packages/*,apps/demo}/src/**/*.{ts,tsx}', { cwd: ROOT }).filter(
    (file) => !file.includes('.test.'),
  );
  for (const file of files) {
    const code = readFileSync(join(ROOT, file), 'utf8').replaceAll(/^\s*(?:\*|\/\/).*$/gm, '');
    for (const [, source = '', flags = ''] of code.matchAll(LITERAL)) {
      const expression = new RegExp(source, flags);
      const work: Work = flags.includes('g')
        ? (text) => text.replaceAll(expression, '')
        : (text) => expression.exec(text);
      found.set(`${file}: ${expression}`, work);
    }
  }
  return found;
}

type Functions = Readonly<Record<string, (...values: unknown[]) => unknown>>;
const load = async (file: string): Promise<Functions> => (await import(join(ROOT, 'packages', file))) as Functions;
const [cards, redaction, answers, csv, charge, sandbox, terminal] = await Promise.all(
  [
    'core/src/values/card-mask.ts',
    'core/src/values/redact.ts',
    'core/src/schemas/clean-answer.ts',
    'edge-proxy/src/ledger/csv.ts',
    'edge-proxy/src/money/charge-text.ts',
    'sandbox/src/wire/card-number.ts',
    'cli/src/terminal/plain-text.ts',
  ].map(load),
);
const SECRETS = ['secret-of-somebody'];
const partsOf = (text: string, length: number): string[] =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  );

/** What reads texts from outside. */
const FUNCTIONS: Readonly<Record<string, Work>> = {
  blankCardNumbers: (text) => cards?.blankCardNumbers?.(text),
  'blankCardNumbers, of ids': (text) => cards?.blankCardNumbers?.(text, { issued: true }),
  holdsCardNumber: (text) => cards?.holdsCardNumber?.(text),
  maskCardNumber: (text) => cards?.maskCardNumber?.(text),
  passesLuhn: (text) => cards?.passesLuhn?.(text),
  redactText: (text) => redaction?.redactText?.(text, SECRETS),
  // As large as an answer may be.
  'redactJson, many texts': (text) => redaction?.redactJson?.(partsOf(text.slice(0, LONG / 4), 100), SECRETS),
  'cleanAnswer, one text': (text) => answers?.cleanAnswer?.({ text }),
  'cleanAnswer, many texts': (text) => answers?.cleanAnswer?.(partsOf(text.slice(0, LONG / 4), LONG / 4 / 190)),
  toCsvRow: (text) => csv?.toCsvRow?.([text]),
  chargeText: (text) => charge?.chargeText?.({ id: 'ch_1', reason: 'other', reference: text, text }),
  maskCardNumbersIn: (text) => sandbox?.maskCardNumbersIn?.(text),
  plainText: (text) => terminal?.plainText?.(text),
  forTerminal: (text) => terminal?.forTerminal?.(text),
};

function millisecondsOf(work: Work, text: string): number {
  const startedAt = performance.now();
  work(text);
  return performance.now() - startedAt;
}

const fill = ([head, unit, tail]: Shape, length: number): string =>
  `${head}${unit.repeat(Math.ceil(length / unit.length))}${tail}`;

type Shape = readonly [head: string, unit: string, tail: string];
const shapes = HEADS.flatMap((head) => UNITS.flatMap((unit) => TAILS.map((tail): Shape => [head, unit, tail])));
const shortTexts = shapes.map((shape) => fill(shape, SHORT));

/** The time for the worst text, of 1 MB unless a shorter one takes too long already. */
function worstOf(work: Work): readonly [ms: number, length: number, shape: string] {
  const times = shortTexts.map((text, index) => [millisecondsOf(work, text), index] as const);
  const slowest = times.sort(([a], [b]) => b - a).slice(0, 3);
  const worst = slowest.map(([, index]) => {
    const shape = shapes[index] ?? ['', ' ', ''];
    for (let length = SHORT; ; length = Math.min(LONG, 4 * length)) {
      const text = fill(shape, length);
      const ms = Math.min(...[1, 2, 3].map(() => millisecondsOf(work, text)));
      if (ms > LIMIT_MS || length === LONG) return [ms, length, JSON.stringify(shape)] as const;
    }
  });
  return worst.sort(([a], [b]) => b - a)[0] ?? [0, 0, ''];
}

const works = [...literals(), ...Object.entries(FUNCTIONS)];
const rows = works.map(([name, work]) => [...worstOf(work), name] as const).sort(([a], [b]) => b - a);
console.log(`${rows.length} regular expressions and functions, slowest first; milliseconds for the worst 1 MB`);
const slow = rows.filter(([ms]) => ms > LIMIT_MS);
for (const [ms, length, shape, name] of rows.slice(0, Math.max(15, slow.length))) {
  console.log(`${ms.toFixed(1).padStart(8)}  ${name}  ${length} of ${shape}`);
}
if (slow.length > 0) {
  console.error(`${slow.length} take more than ${LIMIT_MS} ms.`);
  process.exitCode = 1;
}
