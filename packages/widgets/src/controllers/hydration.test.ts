import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Hydration } from './hydration.ts';

let root: HTMLElement;
let element: HTMLElement;
let said: string[];

/** React's mark, with the random ending that each copy of it makes up. */
const mark = (node: object, name: 'Container' | 'Props'): void =>
  void Object.assign(node, { [`__react${name}$x1`]: {} });
const say = (hydration: Hydration, word: string): void => hydration.say(() => said.push(word));

beforeEach(() => {
  vi.useFakeTimers();
  said = [];
  root = document.body.appendChild(document.createElement('div'));
  element = root.appendChild(document.createElement('p'));
});
afterEach(() => {
  root.remove();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('an element that a script makes says everything at once', () => {
  mark(root, 'Container');
  say(new Hydration(document.createElement('p')), 'one');
  expect(said).toEqual(['one']);
});

test('an element of a page that has loaded without React does not wait', () => {
  say(new Hydration(element), 'one');
  expect(said).toEqual(['one']);
});

test('an element that React has already does not wait', () => {
  mark(root, 'Container');
  mark(element, 'Props');
  say(new Hydration(element), 'one');
  expect(said).toEqual(['one']);
});

test('below a root of React an element waits until React has taken it over, and keeps the order', async () => {
  mark(root, 'Container');
  const hydration = new Hydration(element);
  say(hydration, 'one');
  await vi.advanceTimersByTimeAsync(3000);
  say(hydration, 'two');
  expect(said).toEqual([]);
  mark(element, 'Props');
  await vi.advanceTimersByTimeAsync(200);
  say(hydration, 'three');
  expect(said).toEqual(['one', 'two', 'three']);
});

test('a page that is still loading may bring React', async () => {
  const readyState = vi.spyOn(document, 'readyState', 'get').mockReturnValue('interactive');
  say(new Hydration(element), 'one');
  await vi.advanceTimersByTimeAsync(1000);
  expect(said).toEqual([]);
  readyState.mockReturnValue('complete');
  await vi.advanceTimersByTimeAsync(200);
  expect(said).toEqual(['one']);
});

test('a React that never comes is waited for five seconds', async () => {
  mark(root, 'Container');
  say(new Hydration(element), 'one');
  await vi.advanceTimersByTimeAsync(4900);
  expect(said).toEqual([]);
  await vi.advanceTimersByTimeAsync(300);
  expect(said).toEqual(['one']);
});

test('a click ends the wait', async () => {
  mark(root, 'Container');
  const hydration = new Hydration(element);
  say(hydration, 'one');
  hydration.end();
  say(hydration, 'two');
  await vi.advanceTimersByTimeAsync(9000);
  expect(said).toEqual(['one', 'two']);
});
