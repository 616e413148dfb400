import { describe, expect, it } from 'vitest';
import { fileNameOf, problemsOf } from './check-doc-snippets.ts';
import { snippetsOfMarkdown, snippetsOfSource } from './doc-snippets.ts';

describe('in Markdown', () => {
  it('finds code blocks, their language and their line', () => {
    const text = '# A\n\n```ts\nconst a = 1;\n```\n\n```sh\nls\n```\n\n  ~~~js\n  a();\n  ~~~\n';
    expect(snippetsOfMarkdown('a.md', text)).toEqual({
      problems: [],
      snippets: [
        { file: 'a.md', line: 4, language: 'ts', code: 'const a = 1;' },
        { file: 'a.md', line: 12, language: 'js', code: 'a();' },
      ],
    });
  });

  it('finds the scripts of an HTML block, and leaves files and data alone', () => {
    const text =
      '```html\n<p>x</p>\n<script type="module" src="/a.js"></script>\n<script type="importmap">{}</script>\n<script type="module">\n  go();\n</script>\n```\n';
    expect(snippetsOfMarkdown('a.md', text).snippets).toEqual([
      { file: 'a.md', line: 5, language: 'js', code: '\n  go();\n' },
    ]);
  });

  it('puts a continued block behind the one before, each line where it stands', () => {
    const text = '```ts\nconst a = 1;\n```\n\ntext\n\n```ts continues\na.toFixed();\n```\n';
    expect(snippetsOfMarkdown('a.md', text).snippets.at(-1)).toEqual({
      file: 'a.md',
      line: 2,
      language: 'ts',
      code: 'const a = 1;\n\n\n\n\n\na.toFixed();',
    });
  });

  it('leaves a block out only for a reason', () => {
    expect(
      snippetsOfMarkdown('a.md', '```ts no-check shows what the compiler refuses\nconst a: string = 1;\n```\n'),
    ).toEqual({ snippets: [], problems: [] });
    expect(snippetsOfMarkdown('a.md', '```ts no-check\nconst a: string = 1;\n```\n').problems).toHaveLength(1);
    expect(snippetsOfMarkdown('a.md', '```ts nocheck because\nlet a;\n```\n').problems).toHaveLength(1);
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
    expect(snippetsOfSource('a.ts', source, './dist/a.js').snippets).toEqual([
      { file: 'a.ts', line: 8, language: 'ts', code: "import { add } from './dist/a.js';\nconst sum = add(1, 2);" },
    ]);
  });

  it('leaves an example alone that imports for itself', () => {
    const withImport = source.replace(' * const sum', " * import { add } from '@innkeep/core/values';\n * const sum");
    expect(snippetsOfSource('a.ts', withImport, './dist/a.js').snippets[0]?.code).toMatch(
      /^import \{ add \} from '@innkeep/,
    );
  });
});

it('maps compiler errors back to the document', () => {
  const snippet = { file: 'docs/a.md', line: 4, language: 'ts', code: '' } as const;
  const output = `.innkeep/doc-snippets/${fileNameOf(snippet)}(7,3): error TS2322: Type 'number' is not assignable.\n  More about it.\n`;
  expect(problemsOf(output, new Map([[fileNameOf(snippet), snippet]]))).toEqual([
    { file: 'docs/a.md', line: 7, message: "TS2322: Type 'number' is not assignable.\n  More about it." },
  ]);
});
