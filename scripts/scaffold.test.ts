import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { entryPointsOf, findImportProblems } from './check-import-rules.ts';
import { findParityProblems } from './check-operation-parity.ts';
import { summarizeModule } from './module-imports.ts';
import type { Problem } from './report-problems.ts';
import { runCommand } from './run-command.ts';
import { type Kind, type Scaffold, scaffold } from './scaffold.ts';
import { isSourceFile, ROOT, readText, repositoryFiles, workspacePackages } from './workspace.ts';

const EXAMPLES: readonly { readonly kind: Kind; readonly name: string; readonly packages: readonly string[] }[] = [
  { kind: 'operation', name: 'cardInfo', packages: ['core', 'sandbox'] },
  { kind: 'element', name: 'refund-notice', packages: ['widgets'] },
  { kind: 'route', name: 'read-exchange-rate', packages: ['edge-proxy'] },
  { kind: 'scenario', name: 'answer-in-latin-1', packages: ['sandbox'] },
];

let copy: string;

beforeEach(() => {
  mkdirSync(join(ROOT, '.innkeep'), { recursive: true });
  copy = mkdtempSync(join(ROOT, '.innkeep/scaffold-'));
});

afterEach(() => rmSync(copy, { recursive: true, force: true }));

/** A copy of some packages' sources, with the scaffold in it. */
function writeCopy({ created, edited }: Scaffold, packages: readonly string[]): void {
  cpSync(join(ROOT, 'tsconfig.base.json'), join(copy, 'tsconfig.base.json'));
  cpSync(join(ROOT, 'biome.json'), join(copy, 'biome.json'));
  for (const name of packages) {
    const [from, to] = [join(ROOT, 'packages', name), join(copy, 'packages', name)];
    for (const part of [
      'src',
      'openapi',
      'test-support',
      'test',
      'package.json',
      'tsconfig.json',
      'tsconfig.test.json',
    ]) {
      if (existsSync(join(from, part))) cpSync(join(from, part), join(to, part), { recursive: true });
    }
    symlinkSync(join(from, 'node_modules'), join(to, 'node_modules'), 'junction');
  }
  for (const [file, text] of [...Object.entries(created), ...Object.entries(edited)]) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), text);
  }
}

it.each(EXAMPLES)(
  'makes $kind files that type-check, format and lint',
  { timeout: 60_000 },
  async ({ kind, name, packages }) => {
    const made = scaffold(kind, name, readText);
    writeCopy(made, packages);

    const files = [...Object.keys(made.created), ...Object.keys(made.edited)];
    const biome = [
      'biome',
      'check',
      '--write',
      '--vcs-enabled=false',
      '--error-on-warnings',
      '--diagnostic-level=warn',
    ];
    const lint = await runCommand([...biome, ...files], { cwd: copy });
    expect(lint.code, lint.output).toBe(0);

    for (const each of packages) {
      const types = await runCommand(['tsc', '-p', `packages/${each}/tsconfig.test.json`, '--noEmit'], { cwd: copy });
      // Only what the scaffold wrote is judged; a mistake elsewhere has its own check.
      expect(types.output.split('\n').filter((line) => files.some((file) => line.startsWith(file)))).toEqual([]);
    }
  },
);

it.each(EXAMPLES)('makes $kind files that keep the import rules', ({ kind, name }) => {
  const { created, edited } = scaffold(kind, name, readText);
  const before = new Map(
    repositoryFiles()
      .filter(isSourceFile)
      .map((file) => [file, readText(file)]),
  );
  const after = new Map([
    ...before,
    ...Object.entries({ ...created, ...edited }).filter(([file]) => isSourceFile(file)),
  ]);

  expect(importProblems(after)).toEqual(importProblems(before));
});

function importProblems(texts: ReadonlyMap<string, string>): readonly Problem[] {
  const modules = [...texts].map(([file, text]) => summarizeModule(file, text));
  return findImportProblems(modules, entryPointsOf(workspacePackages(), [...texts.keys()]));
}

it('gives an operation every companion that the parity check wants', () => {
  const { created } = scaffold('operation', 'cardInfo', readText);
  expect(findParityProblems(Object.keys(created), {})).toEqual([]);
});

it.each([
  ['operation', 'card-info'],
  ['element', 'notice'],
  ['route', 'readRate'],
  ['scenario', '../escape'],
] as const)('refuses the name of %s %s', (kind, name) => {
  expect(() => scaffold(kind, name, readText)).toThrow('not a good name');
});

it('says so when a file no longer has the place it edits', () => {
  expect(() => scaffold('scenario', 'slow-answer', () => 'export {};\n')).toThrow('Found no place');
});
