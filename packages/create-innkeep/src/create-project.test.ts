import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject } from './create-project.ts';
import { TEMPLATES, type TemplateName } from './templates.ts';

const parent = mkdtempSync(join(tmpdir(), 'create-innkeep-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const NAMES = Object.keys(TEMPLATES) as TemplateName[];

const SOURCE = /\.(?:[jt]sx?|mjs|vue|svelte|astro)$/;
/** The name of a package in an import, without the path inside it. */
const IMPORT = /(?:from|import) '(@[\w-]+\/[\w.-]+|[a-z][\w.:-]*)/g;

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly scripts: Readonly<Record<string, string>>;
    readonly dependencies: Readonly<Record<string, string>>;
    readonly devDependencies: Readonly<Record<string, string>>;
  };

describe.each(NAMES)('%s', (template) => {
  const folder = join(parent, template);
  beforeAll(() => createProject({ folder, template, what: 'site' }));

  test('runs with npm run dev, and keeps keys out of version control', () => {
    const { name, scripts, devDependencies } = manifestOf(folder);
    expect(name).toBe(template);
    expect(scripts.dev).toMatch(/^innkeep dev --forward-to \/hooks -- \S/);
    expect(devDependencies).toHaveProperty('@innkeep/cli');
    const ignored = readFileSync(join(folder, '.gitignore'), 'utf8').split('\n');
    for (const path of ['.env.local', '.innkeep', 'node_modules']) expect(ignored).toContain(path);
    expect(existsSync(join(folder, '_gitignore'))).toBe(false);
  });

  test('installs exact versions of others, and what the workspace stands for is not left in it', () => {
    const { dependencies, devDependencies } = manifestOf(folder);
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      if (!name.startsWith('@innkeep/')) expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
      expect(version, name).not.toMatch(/^(workspace|catalog):/);
    }
  });

  test('names in its package.json all that it imports and runs', () => {
    const { dependencies, devDependencies, scripts } = manifestOf(folder);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => SOURCE.test(file));
    const imported = files.flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(IMPORT)]);
    const packages = imported
      .map(([, name = '']) => name)
      .filter((name) => !isBuiltin(name) && !/^(cloudflare|astro):/.test(name));
    const commands = Object.values(scripts).flatMap((script) =>
      script.split(' -- ').map((command) => command.split(' ')[0]),
    );
    const known = ['node', 'innkeep', ...Object.keys({ ...dependencies, ...devDependencies })];
    expect(imported.length).toBeGreaterThan(0);
    expect([...packages, ...commands].filter((name) => !known.includes(name ?? ''))).toEqual([]);
  });
});

test('the deployment of the proxy is a worker of ten lines, and beside a site it has a folder of its own', () => {
  const alone = join(parent, 'proxy-alone');
  createProject({ folder: alone, template: 'vanilla', what: 'proxy' });
  // The files with secrets that the guides have an operator write there.
  const ignored = readFileSync(join(alone, '.gitignore'), 'utf8').split('\n');
  for (const path of ['sealing-keys*', 'PROPERTY_*.json', 'keys', 'webhooks.json']) expect(ignored).toContain(path);
  // And those that wrangler reads, each also for one environment.
  for (const path of ['.dev.vars*', '.env*']) expect(ignored).toContain(path);
  expect(readdirSync(alone).sort()).toEqual(['.gitignore', 'README.md', 'package.json', 'worker.ts', 'wrangler.jsonc']);
  const both = join(parent, 'both');
  createProject({ folder: both, template: 'vanilla', what: 'both' });
  expect(existsSync(join(both, 'payments.js'))).toBe(true);
  expect(readdirSync(join(both, 'proxy')).sort()).toEqual(readdirSync(alone).sort());
});

test('a folder that has files is left alone, and so is everything in it', () => {
  const folder = join(parent, 'vanilla');
  writeFileSync(join(folder, 'mine.txt'), 'mine');
  expect(() => createProject({ folder, template: 'react', what: 'site' })).toThrow(/vanilla is not empty/);
  expect(existsSync(join(folder, 'src'))).toBe(false);
});

test('a folder with a name that npm does not take gets one that it takes', () => {
  const folder = join(parent, 'Hôtel Aurora');
  createProject({ folder, template: 'vanilla', what: 'site' });
  expect(manifestOf(folder).name).toBe('h-tel-aurora');
});
