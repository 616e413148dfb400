import { expect, test, vi } from 'vitest';
import { createPropertyDirectory } from './property-directory.ts';

const CHANGE = { edit: { action: 'patched' } } as never;
const SLICE = {} as never;

/** A deployment whose directory knows one hotel. */
function deployment() {
  const asked: string[] = [];
  const answer = vi.fn(async () => ({ ok: true, value: 'shown' }));
  const one = (id: string) => {
    asked.push(id);
    return { show: answer, change: answer, versions: answer, reseal: answer, audit: async () => ['an act'] };
  };
  const all = { has: async (id: string) => id === 'aurora' };
  const directory = createPropertyDirectory({
    DIRECTORIES: { getByName: () => all },
    PROPERTIES: { getByName: one },
  } as never);
  return { asked, directory };
}

test('a hotel that nobody made is not found, and its object is not woken', async () => {
  const { asked, directory } = deployment();
  for (const call of [
    directory.show('nobody'),
    directory.change('nobody', CHANGE),
    directory.versions('nobody', { before: null, limit: 1 }),
    directory.reseal('nobody'),
  ]) {
    const refusal = { code: 'not_found', message: expect.stringContaining('in the directory') };
    await expect(call).rejects.toMatchObject(refusal);
  }
  expect(await directory.audit('nobody', SLICE)).toEqual([]);
  expect(asked).toEqual([]);
  expect([await directory.show('aurora'), await directory.audit('aurora', SLICE)]).toEqual(['shown', ['an act']]);
});

test.each([
  ['DIRECTORIES', { PROPERTIES: {} }],
  ['PROPERTIES', { DIRECTORIES: { getByName: () => ({ has: async () => true }) } }],
])('a deployment without %s says so', async (param, bindings) => {
  const directory = createPropertyDirectory(bindings as never);
  await expect(directory.show('aurora')).rejects.toMatchObject({
    code: 'property_unavailable',
    details: { param, detail: expect.stringContaining('has no directory') },
  });
});
