import { expect, it } from 'vitest';
import { findVoiceProblems } from './check-project-voice.ts';

it.each([
  ['a.ts', '// see /home/anna/innkeep/notes'],
  ['a.ts', "const file = '/Users/anna/x';"],
  ['a.md', 'Read C:\\Users\\anna\\x.'],
  ['a.ts', '// as written in ../shared/spec'],
  ['a.ts', '// issue 12 wants this'],
  ['a.ts', '// fixes #12'],
  ['a.md', 'Done (#12).'],
  ['a.ts', '/** @see DESIGN 5.1 */'],
  ['a.ts', '/** @see CONTRACTS.md */'],
  ['a.ts', '// TODO later'],
  ['.npmrc', 'yes=true\nregistry=http://10.0.0.1/npm'],
  ['pnpm-lock.yaml', '    tarball: http://10.0.0.1/a.tgz'],
  ['a.ts', "const upstream = 'https://api.some-vendor.com/V2';"],
  ['a.ts', "const key = 'sk_live_abcdefghijklmnopqrstuv';"],
  ['a.pem', '-----BEGIN PRIVATE KEY-----'],
])('refuses in %s: %s', (file, text) => {
  expect(findVoiceProblems(file, text)).toHaveLength(1);
});

it.each([
  ['a.css', 'a { color: #333; }'],
  ['a.ts', 'readonly #state = 1;'],
  ['a.md', '[Errors](#errors) and `#1a2b3c`'],
  ['.npmrc', 'yes=true'],
  [
    'a.ts',
    "fetch('https://pay.hotel.example/v1/checkout', 'http://127.0.0.1:8787', 'http://localhost:4000', 'http://[::1]:1')",
  ],
  ['a.ts', `const url = \`https://\${host}/login\`;`],
  ['a.md', 'See https://developers.cloudflare.com/workers/ and https://github.com/lit/lit.'],
  ['a.ts', '// the upstream API, section States'],
  ['a.ts', "spawn('/usr/bin/apt-get')"],
])('accepts in %s: %s', (file, text) => {
  expect(findVoiceProblems(file, text)).toEqual([]);
});

it('says where', () => {
  expect(findVoiceProblems('a.ts', 'const a = 1;\n// TODO\n')).toEqual([
    { file: 'a.ts', line: 2, message: expect.stringContaining('TODO') },
  ]);
});
