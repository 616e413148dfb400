// A release from its changesets to what is published. What it does for a newcomer: starters.outer.test.ts.
import { execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ownFolder } from '../support/own-folder.ts';
import { ADDRESSES, type Manifest, makeRelease, type Release } from './support/release.ts';

const folder = ownFolder();
let release: Release;

beforeAll(async () => {
  release = await makeRelease(join(folder, 'release'));
});

test('every package has a version, and the proxy says it', async () => {
  expect([...release.manifests.keys()].sort()).toEqual([
    '@innkeep/cli',
    '@innkeep/core',
    '@innkeep/desk',
    '@innkeep/edge-proxy',
    '@innkeep/react',
    '@innkeep/sandbox',
    '@innkeep/widgets',
    'create-innkeep',
  ]);
  for (const { name, version } of release.manifests.values()) expect([name, version]).not.toEqual([name, '0.0.0']);
  const { version } = release.manifests.get('@innkeep/edge-proxy') ?? {};
  expect(await release.read('packages/edge-proxy/src/telemetry/version.ts')).toContain(`VERSION = '${version}'`);
});

test('nothing of this workspace is left in what is published', () => {
  for (const { dependencies, devDependencies } of release.manifests.values()) {
    const ranges = Object.values({ ...dependencies, ...devDependencies });
    expect(ranges.filter((range) => /^(workspace|catalog|link|file):/.test(range))).toEqual([]);
  }
});

test('the proxy has the script of its desk’s page, which is built apart from it', () => {
  const tarball = release.tarballs.find((file) => basename(file).startsWith('innkeep-edge-proxy-')) ?? '';
  const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).split('\n');
  expect(files).toEqual(expect.arrayContaining(['package/dist/assets/desk.js', 'package/dist/assets-moto/desk.js']));
});

test('every package has its license, what it is, and what changed up to its version', () => {
  for (const tarball of release.tarballs) {
    const read = (file: string): string =>
      execFileSync('tar', ['-xOzf', tarball, `package/${file}`], { encoding: 'utf8', stdio: 'pipe' });
    const { name, version } = JSON.parse(read('package.json')) as Manifest;
    expect(read('LICENSE'), name).toContain('Apache License');
    expect(read('README.md'), name).toContain(`# ${name}\n`);
    expect(read('CHANGELOG.md'), name).toContain(`\n## ${version}\n`);
  }
});

// Yarn keeps packages in archives, where the runtime finds no bundle, and Node copies no folder from.
test.each(['create-innkeep', '@innkeep/edge-proxy'])('Yarn unpacks %s, whose files are not only imported', (name) => {
  expect(release.manifests.get(name)?.preferUnplugged).toBe(true);
});

test('every package says where it comes from, as one file of the repository has it', () => {
  for (const { name, repository, homepage, bugs, funding } of release.manifests.values()) {
    expect({ homepage, bugs, funding, repository: repository?.url }, name).toEqual(ADDRESSES);
    expect(repository?.directory, name).toBe(`packages/${name.replace('@innkeep/', '')}`);
  }
});
