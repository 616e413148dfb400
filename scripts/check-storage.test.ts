import { expect, it } from 'vitest';
import { findStorageProblems, storedThings } from './check-storage.ts';

const REGISTER = `# Storage

| Table | What |
| --- | --- |
| \`session\` | the session |
| \`link\` | its links |
`;

it('finds created tables and put keys', () => {
  const source = `
this.#storage.sql.exec(\`CREATE TABLE session (id TEXT);
  CREATE TABLE IF NOT EXISTS link (hash TEXT)\`);
await this.ctx.storage.put('draft', 1);
this.ctx.storage.kv.put('count', 1);
cache.put('other', 1);
`;
  expect(storedThings('a.ts', source).map(({ name, line }) => `${line} ${name}`)).toEqual([
    '2 session',
    '3 link',
    '4 draft',
    '5 count',
  ]);
});

it('accepts a register that agrees', () => {
  const things = storedThings('a.ts', "exec('CREATE TABLE session (a)', 'CREATE TABLE link (a)')");
  expect(findStorageProblems(things, REGISTER)).toEqual([]);
});

it('finds what is stored and not registered, and the other way round', () => {
  const things = storedThings('a.ts', "exec('CREATE TABLE session (a)', 'CREATE TABLE secret (a)')");
  expect(findStorageProblems(things, REGISTER)).toEqual([
    { file: 'a.ts', line: 1, message: expect.stringContaining('“secret”') },
    { file: 'packages/edge-proxy/STORAGE.md', line: 6, message: expect.stringContaining('“link”') },
  ]);
});

it('does not pass because it found nothing to look at', () => {
  expect(findStorageProblems([], '')).toHaveLength(1);
});
