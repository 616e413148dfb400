import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/launch.ts';

const WIDGETS = join(ROOT, 'packages/widgets');
const sizeOf = (file: string): number => gzipSync(readFileSync(join(WIDGETS, file)), { level: 9 }).length;

test('the script-tag files weigh at most 20 kB each', () => {
  for (const file of ['dist/cdn/widgets.js', 'dist/cdn/widgets.iife.js']) {
    expect(sizeOf(file), file).toBeLessThanOrEqual(20 * 1024);
  }
});

test('every language weighs at most 1 kB', () => {
  const files = readdirSync(join(WIDGETS, 'dist/cdn/locales')).filter((file) => file !== 'hashes.json');
  expect(files.length).toBeGreaterThanOrEqual(36);
  for (const file of files) expect(sizeOf(`dist/cdn/locales/${file}`), file).toBeLessThanOrEqual(1024);
});

test('importing on a server is safe, and defines nothing there', async () => {
  expect((await import('@innkeep/widgets')).PayWidget.observedAttributes).toContain('client-secret');
  const code = `
    const { PayWidget } = await import('@innkeep/widgets');
    await import('@innkeep/widgets/define');
    await import('@innkeep/widgets/define/pay-widget');
    console.log(typeof PayWidget, typeof HTMLElement, typeof document, typeof customElements);
  `;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(output.trim()).toBe('function undefined undefined undefined');
});

test('importing in a Worker is safe too, where Lit’s build for browsers is found, and leaves no trace', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { PayWidget } from '@innkeep/widgets'; import '@innkeep/widgets/define';`,
      resolveDir: ROOT,
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'browser'],
  });
  const code = `${outputFiles[0]?.text}\nconsole.log(typeof PayWidget, typeof document, typeof HTMLElement);`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-'], { input: code, encoding: 'utf8' });
  expect(output.trim()).toBe('function undefined undefined');
});

test('the manifest names every part and custom property that the style sheet knows', () => {
  const manifest = readFileSync(join(WIDGETS, 'dist/custom-elements.json'), 'utf8');
  const styles = readdirSync(join(WIDGETS, 'src/styles'))
    .map((file) => readFileSync(join(WIDGETS, 'src/styles', file), 'utf8'))
    .join('\n');
  const properties = new Set(styles.match(/--pay-[a-z-]+/g));
  const states = ['idle', 'opening', 'waiting', 'succeeded', 'failed', 'error', 'light', 'dark', 'system'];
  const parts = new Set([...styles.matchAll(/^ {2,4}\.([a-z-]+)/gm)].map(([, name]) => name ?? ''));

  expect(properties.size).toBeGreaterThan(10);
  expect([...properties].filter((name) => !manifest.includes(`"name": "${name}"`))).toEqual([]);
  expect([...parts].filter((name) => !states.includes(name) && !manifest.includes(`"name": "${name}"`))).toEqual([]);
});
