import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkBlock, compile, type Facts, pathOf, problemsOf } from './check-doc-snippets.ts';
import { readElements } from './doc-snippets/elements.ts';
import { readProxyApi } from './doc-snippets/proxy-api.ts';
import { blocksOfMarkdown, blocksOfSource, type Snippet } from './doc-snippets.ts';
import { ROOT } from './workspace.ts';

/** Messages about one fenced block. */
async function complaints(language: string, code: string): Promise<readonly string[]> {
  const facts: Facts = { elements: readElements(), api: readProxyApi() };
  const { blocks, problems } = blocksOfMarkdown('a.md', `\`\`\`${language}\n${code}\n\`\`\`\n`);
  const checked = await Promise.all(blocks.map((block) => checkBlock(block, facts)));
  return [...problems, ...checked.flatMap((found) => found.problems)].map(({ message }) => message);
}

describe('in Markdown', () => {
  it('finds code blocks, their language and their line', () => {
    const text = '# A\n\n```ts\nconst a = 1;\n```\n\n```bash\nls\n```\n\n  ~~~js\n  a();\n  ~~~\n';
    expect(blocksOfMarkdown('a.md', text)).toEqual({
      problems: [],
      blocks: [
        { file: 'a.md', line: 4, language: 'ts', code: 'const a = 1;' },
        { file: 'a.md', line: 8, language: 'sh', code: 'ls' },
        { file: 'a.md', line: 12, language: 'js', code: 'a();' },
      ],
    });
  });

  it('puts a continued block behind the one before, each line where it stands', () => {
    const text = '```ts\nconst a = 1;\n```\n\ntext\n\n```ts continues\na.toFixed();\n```\n';
    expect(blocksOfMarkdown('a.md', text).blocks.at(-1)).toEqual({
      file: 'a.md',
      line: 2,
      language: 'ts',
      code: 'const a = 1;\n\n\n\n\n\na.toFixed();',
    });
  });

  it('leaves a block out only for a reason', () => {
    const blocksOf = (info: string) => blocksOfMarkdown('a.md', `\`\`\`${info}\nconst a: string = 1;\n\`\`\`\n`);
    expect(blocksOf('ts no-check shows what the compiler refuses')).toEqual({ blocks: [], problems: [] });
    expect(blocksOf('ts no-check').problems).toHaveLength(1);
    expect(blocksOf('ts nocheck because').problems).toHaveLength(1);
  });

  it('refuses a block without a language, in one that nothing checks, or that never closes', () => {
    expect(blocksOfMarkdown('a.md', '```\nx\n```\n').problems[0]?.message).toMatch(/^has no language/);
    expect(blocksOfMarkdown('a.md', '```cobol\nx\n```\n').problems[0]?.message).toMatch(/^is in cobol/);
    expect(blocksOfMarkdown('a.md', '```text\nx\n').problems[0]?.message).toBe('is never closed');
  });

  it('knows what the reader saves a block as, and wants the text to say it too', () => {
    const block = '```js title="server.js"\nlet a;\n```\n';
    expect(blocksOfMarkdown('a.md', `Save this as \`server.js\`:\n\n${block}`)).toMatchObject({
      problems: [],
      blocks: [{ title: 'server.js' }],
    });
    expect(blocksOfMarkdown('a.md', block).problems[0]?.message).toContain('must say `server.js`');
    expect(blocksOfMarkdown('a.md', `\`server.js\`\n\n${block}\n\`server.js\`\n\n${block}`).problems).toHaveLength(1);
  });
});

describe('in TSDoc', () => {
  const source = `/** A. */
export interface Options {}

/**
 * Adds.
 *
 * @example
 * \`\`\`ts
 * const sum = add(1, 2);
 * \`\`\`
 */
export function add(a: number, b: number): number {
  return a + b;
}
`;

  it('imports what the file exports and the example uses', () => {
    expect(blocksOfSource('a.ts', source, './dist/a.js').blocks).toEqual([
      { file: 'a.ts', line: 8, language: 'ts', code: "import { add } from './dist/a.js';\nconst sum = add(1, 2);" },
    ]);
  });

  it('leaves an example alone that imports for itself', () => {
    const withImport = source.replace(' * const sum', " * import { add } from '@innkeep/core/values';\n * const sum");
    expect(blocksOfSource('a.ts', withImport, './dist/a.js').blocks[0]?.code).toMatch(
      /^import \{ add \} from '@innkeep/,
    );
  });
});

describe('HTML', () => {
  it('has its scripts compiled, its styles and data checked, and files left alone', async () => {
    const code =
      '<p>x</p>\n<script type="module" src="/a.js"></script>\n<script type="importmap">{ "imports": {} }</script>\n<script type="module">\n  go();\n</script>\n<style>a { colr: red }</style>';
    const block = { file: 'a.md', line: 2, language: 'html', code } as const;
    const found = await checkBlock(block, { elements: readElements(), api: readProxyApi() });
    expect(found.blocks).toEqual([{ file: 'a.md', line: 5, language: 'js', code: '\n  go();\n' }]);
    expect(found.problems.map(({ message }) => message)).toEqual(['CSS: Unknown property `colr`']);
  });

  it.each([
    ['<pay-widget endpoint="https://pay.hotel.example" client-secret="cs_…"></pay-widget>', []],
    ['<pay-widget secret="x"></pay-widget>', ['<pay-widget> has no attribute “secret”']],
    ['<pay-widget theme="pink"></pay-widget>', ['<pay-widget> takes theme="auto|light|dark", not “pink”']],
    ['<pay-widgets></pay-widgets>', ['there is no element <pay-widgets>']],
    ['<pay-widget><p slot="top">x</p></pay-widget>', ['<pay-widget> has no slot “top”']],
    ['<p class="a" class="b">x</p>', ['HTML: duplicate-attribute']],
    ['<!doctype html>\n<title>A</title>\n<p>x</div>', ['HTML: a </div> closes nothing']],
    ['<ul><li>a<li>b</ul><main><p>x', ['HTML: <main> is never closed']],
  ])('%s', async (code, expected) => {
    const found = await complaints('html', code);
    expect(found).toEqual(expected);
  });
});

describe('other languages', () => {
  it.each([
    ['css', 'pay-widget { --pay-color-primary: teal; }\npay-widget::part(button) { color: red; }', ''],
    ['css', 'pay-widget { --pay-primary: teal; }', 'no element reads --pay-primary'],
    ['css', 'pay-widget { --pya-color-primary: teal; }', 'no element reads --pya-color-primary'],
    ['css', 'p { --gold: teal; color: var(--gold, red); }', ''],
    ['css', 'pay-widget::part(knob) { color: red; }', 'no element has a part “knob”'],
    ['css', 'a { color: red', 'CSS: a bracket does not close'],
    ['css', 'a { color red; }', 'CSS:'],
    ['json', '{ "a": 1, }', 'JSON: PropertyNameExpected'],
    ['jsonc', '"vars": { "A": "b" } // words', ''],
    ['jsonc', '{ "compatibility_date": 2026 }', 'wrangler configuration: #/compatibility_date'],
    ['json', '{ "origins": ["https://hotel.example/"] }', 'configuration of a hotel: origins.0'],
    ['json', '{ "webhooks": [{ "url": "https://hotel.example/hooks", "secret": "whsec_…" }] }', ''],
    ['json', '{ "object": "charge", "state": "sent" }', 'it: '],
    [
      'env',
      'PUBLIC_URL=https://pay.hotel.example\nPROPERTY_A=\'{"amountUnit":"cents"}\'',
      'configuration of a hotel: amountUnit',
    ],
    ['env', 'not a setting', 'is no NAME=value'],
    ['http', 'POST /v1/charges HTTP/1.1\nContent-Type: application/json\n\n{ "amount": 1 }', 'HTTP: it: '],
    ['http', 'PUT /v1/charges HTTP/1.1', 'HTTP: /v1/charges takes POST, GET, not PUT'],
    ['http', 'HTTP/1.1 201 Created\ncontent-type: application/json', ''],
    ['http', "Content-Security-Policy: default-src 'none'", ''],
    ['http', 'POST /hooks HTTP/1.1\nHost: hotel.example', ''],
    ['csv', '"a","b, c"\n1,2', ''],
    ['csv', 'a,b\n1', 'csv: 1 cells, the first row has 2'],
    ['json', '{ "type": "checkout.succeeded", "data": { "object": { "object": "charge", "amount": "…" } } }', ''],
    ['json', '{ "type": "checkout.paid", "data": { "object": { "object": "charge" } } }', 'type: '],
    ['xml', '<a><b></a>', 'XML: '],
    ['php', '<?php\n$a = [1, 2;\n', 'PHP: '],
    ['php', '<?php\nreturn match (true) { default => 1 };\n', ''],
    ['yaml', 'a: [1, 2', 'YAML: '],
    ['nginx', 'server { listen 80 }', 'nginx: “listen 80” does not end before }'],
    ['ini', '[Service]\nExecStart=/bin/true\nnonsense', 'ini: “nonsense”'],
    ['mermaid', 'flow LR\n a --> b', 'mermaid: “flow LR” is no kind of diagram'],
    ['text', 'anything at all', ''],
  ])('%s: %j', async (language, code, expected) => {
    const found = await complaints(language, code);
    if (expected === '') expect(found).toEqual([]);
    else expect(found[0]).toContain(expected);
  });
});

describe('command lines', () => {
  it.each([
    'npx pnpm demo --demo-port 4100',
    'npx pnpm check types doc-snippets',
    'npx pnpm --filter @innkeep/core --filter @innkeep/widgets pack --pack-destination ../site',
    'pnpm exec innkeep session get cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
    'export A=b && read -rs B && rm "$(cat file)"',
    'npx wrangler secret put PROPERTY_AURORA < aurora.json',
    'curl -sS https://pay.hotel.example/v1/events?after=0 -H "Authorization: Bearer $KEY"',
    `curl https://pay.hotel.example/v1/charges -d '{"token":"t","amount":{"value":1,"currency":"EUR"},"reference":"R","reason":"deposit"}'`,
    'curl -X POST http://127.0.0.1:8790/__sandbox/reset',
  ])('%s is fine', async (line) => {
    expect(await complaints('sh', line)).toEqual([]);
  });

  it.each([
    ['npx pnpm dmo', 'there is no script “dmo”'],
    ['npx pnpm proxy --prot 1', 'pnpm proxy has no option --prot'],
    ['npx pnpm check typs', 'there is no check named typs'],
    ['innkeep session crate', 'innkeep: error: unknown command'],
    ['innkeep session list --statsu open', 'innkeep: error: unknown option'],
    ['if true; then npx pnpm innkeep charge list --status paid; fi', 'innkeep: error: option'],
    ['npx wrangler publish', 'does not know wrangler publish'],
    ['frobnicate now', 'does not know the command frobnicate'],
    ['curl https://pay.hotel.example/v1/charge', 'curl: there is no route /v1/charge'],
    ['curl -X DELETE https://pay.hotel.example/v1/charges/ch_1', 'takes GET, not DELETE'],
    [`curl https://pay.hotel.example/v1/charges -d '{"token":"t"}'`, 'curl: it: '],
    [`curl https://pay.hotel.example/v1/charges -d '{"token"}'`, 'curl: the body is no JSON'],
    ['node scripts/none.ts', 'there is no scripts/none.ts'],
    ['cp -r packages/widgets/dist/none ../site', 'there is no packages/widgets/dist/none'],
    ["echo 'open", 'sh: '],
  ])('%s: %s', async (line, expected) => {
    expect((await complaints('sh', line)).join('\n')).toContain(expected);
  });

  it('names the line', async () => {
    const text = '```sh\ncd .\nnpx pnpm dmo\n```\n';
    const [block] = blocksOfMarkdown('a.md', text).blocks;
    if (block === undefined) throw new Error('no block');
    const { problems } = await checkBlock(block, { elements: readElements(), api: readProxyApi() });
    expect(problems[0]).toMatchObject({ file: 'a.md', line: 3 });
  });
});

it('maps compiler errors back to the document', () => {
  const snippet = { file: 'docs/a.md', line: 4, language: 'ts', code: '' } as const;
  const output = `.innkeep/doc-snippets/${pathOf(snippet)}(7,3): error TS2322: Type 'number' is not assignable.\n  More about it.\n`;
  expect(problemsOf(output, new Map([[pathOf(snippet), snippet]]))).toEqual([
    { file: 'docs/a.md', line: 7, message: "TS2322: Type 'number' is not assignable.\n  More about it." },
  ]);
});

describe('what is compiled', () => {
  const snippets: readonly Snippet[] = [
    { file: 'a.md', line: 3, language: 'ts', code: 'const amount: number = "1";' },
    { file: 'a.md', line: 9, language: 'ts', title: 'src/pay.ts', code: 'export const total: number = 1;' },
    { file: 'a.md', line: 12, language: 'ts', code: "import { total } from './src/pay';\ntotal.toFixed();" },
    { file: 'b.md', line: 1, language: 'ts', code: "import { total } from './src/pay';\ntotal.toFixed();" },
    {
      file: 'b.md',
      line: 20,
      language: 'tsx',
      code: 'import \'@innkeep/widgets/types/react\';\nexport const a = <pay-widget theme="dark" />;\nexport const b = <pay-widget theme="pink" />;',
    },
    { file: 'b.md', line: 30, language: 'js', code: 'function f(a) {\n  return a;\n}\nf(1).toFixed();\nMath.cel(1);' },
    {
      file: 'c.md',
      line: 5,
      language: 'vue',
      code: '<script setup lang="ts">\nimport \'@innkeep/widgets/types/vue\';\n</script>\n<template>\n  <pay-widget theme="dark" />\n  <pay-widget theme="pink" />\n  <p>{{ nothing }}</p>\n</template>',
    },
  ];

  it('finds the mistake of each language in its document, and lets only files of one document import each other', async () => {
    const folder = join(ROOT, '.innkeep/doc-snippets-test');
    const problems = await compile(snippets, folder);
    rmSync(folder, { recursive: true });
    const places = problems.map(({ file, line, message }) => `${file}:${line} ${message.split(':')[0]}`);
    expect(places.toSorted()).toEqual([
      'a.md:3 TS2322',
      'b.md:1 TS2307',
      'b.md:22 TS2322',
      'b.md:34 TS2551',
      'c.md:10 TS2322',
      'c.md:11 TS2339',
    ]);
  }, 60_000);
});
