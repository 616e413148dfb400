import { setImmediate } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { untilAborted } from './until-aborted.ts';

const reason = new Error('enough');

it('waits for what nobody can abort', async () => {
  expect(await untilAborted(Promise.resolve(1), undefined)).toBe(1);
});

it('ends with the reason, also when it was aborted before and the work is done', async () => {
  await expect(untilAborted(Promise.resolve(1), AbortSignal.abort(reason))).rejects.toBe(reason);
  await expect(untilAborted(Promise.reject(new Error('no')), AbortSignal.abort(reason))).rejects.toBe(reason);
  await setImmediate();
});

it('ends when it is aborted, and what the work comes to later is nobody’s concern', async () => {
  const controller = new AbortController();
  let fail: (error: Error) => void = () => undefined;
  const work = new Promise((_, reject) => {
    fail = reject;
  });
  const waiting = untilAborted(work, controller.signal);
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  fail(new Error('nobody waits for this'));
  await setImmediate();
});

it('leaves no listener on a signal that lives on', async () => {
  const { signal } = new AbortController();
  const [added, removed] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
  await untilAborted(Promise.resolve(1), signal);
  expect(removed.mock.calls).toEqual(added.mock.calls);
});
