/** Mounts elements, waits for what is ready, and finds things the way a person does. */
import axe from 'axe-core';
import { test as base, vi } from 'vitest';
import '../src/define-all.ts';
import type { DeskElement } from '../src/base/desk-element.ts';
import { ENDPOINT, type FakeDesk, installFakeDesk, SECRET } from './fake-desk.ts';

/** The proxy of the test that runs. */
export let fake: FakeDesk;

/** A test with a proxy of its own, which leaves nothing of itself behind. */
export const test = base.extend('proxy', { auto: true }, ({ onTestFinished }) => {
  onTestFinished(cleanUp);
  fake = installFakeDesk();
  return fake;
});

const secretOf = async (): Promise<string> => SECRET;

type Tag = 'payments-desk' | 'payments-list' | 'payment-details';

/** Mounts an element and waits until it has shown its first answer. */
export async function mount<Name extends Tag>(
  tag: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
): Promise<HTMLElementTagNameMap[Name]> {
  const element = document.createElement(tag);
  Object.assign(element, { endpoint: ENDPOINT, locale: 'en', getClientSecret: secretOf, ...properties });
  document.body.append(element);
  await settle();
  return element;
}

/** Lets every promise that is ready run, and the elements render. Never waits for a timer. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 120; turn++) await Promise.resolve();
}

/** Leaves nothing of a test behind. */
export async function cleanUp(): Promise<void> {
  document.body.replaceChildren();
  await settle();
  history.replaceState(null, '', location.pathname + location.search);
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
}

/** Everything in an element and in the elements inside it that fits a selector. */
export function all<Type extends HTMLElement = HTMLElement>(root: DeskElement, selector: string): Type[] {
  const inner = [...(root.shadowRoot?.querySelectorAll<DeskElement>('payments-list, payment-details') ?? [])];
  return [
    ...(root.shadowRoot?.querySelectorAll<Type>(selector) ?? []),
    ...inner.flatMap((each) => all<Type>(each, selector)),
  ];
}

/** The first one; fails when there is none. */
export function one<Type extends HTMLElement = HTMLElement>(root: DeskElement, selector: string): Type {
  const [found] = all<Type>(root, selector);
  if (!found) throw new Error(`Nothing fits ${selector} in: ${textOf(root)}`);
  return found;
}

/** A button or link by what it says. */
export function button(root: DeskElement, name: string): HTMLElement {
  const found = all(root, 'button, a').filter((each) =>
    clean(each.getAttribute('aria-label') ?? each.textContent).startsWith(name),
  );
  if (!found[0]) throw new Error(`No button “${name}” in: ${textOf(root)}`);
  return found[0];
}

/** Clicks what says this. Answers with all that is said then. */
export async function click(root: DeskElement, name: string): Promise<string> {
  button(root, name).click();
  await settle();
  return textOf(root);
}

/** Types into a field or chooses in it. */
export async function enter(root: DeskElement, name: string, value: string): Promise<void> {
  const field = one<HTMLInputElement>(root, `[name="${name}"]`);
  field.value = value;
  field.dispatchEvent(new Event(field.matches('select') ? 'change' : 'input', { bubbles: true }));
  await settle();
}

/** Fills in the form that is open, and sends it. Answers with all that is said then. */
export async function send(root: DeskElement, fields: Readonly<Record<string, string>> = {}): Promise<string> {
  for (const [name, value] of Object.entries(fields)) await enter(root, name, value);
  one<HTMLFormElement>(root, '.action form').requestSubmit();
  await settle();
  return textOf(root);
}

/** Asks for a payment. */
export async function requestPayment(root: DeskElement, amount = '50', reference = 'RES-78'): Promise<void> {
  await click(root, 'Request payment');
  await send(root, { amount, reference });
}

/** Fills the form of a refund in up to its confirmation. */
export async function prepareRefund(root: DeskElement, fields: Readonly<Record<string, string>>): Promise<void> {
  await click(root, 'Refund');
  for (const [name, value] of Object.entries(fields)) await enter(root, name, value);
  await click(root, 'Continue');
}

/** Presses a key where the focus is, or on an element. */
export async function press(target: EventTarget, key: string): Promise<void> {
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }));
  await settle();
}

/** What has the focus, inside all shadow roots. */
export function focused(): Element | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active;
}

/** All that an element says. */
export function textOf(root: DeskElement): string {
  const inner = [...(root.shadowRoot?.querySelectorAll<DeskElement>('payments-list, payment-details') ?? [])];
  return clean([root.shadowRoot?.textContent, ...inner.map(textOf)].join(' '));
}

function clean(text: string | null): string {
  return (text ?? '')
    .replace(/[‹›\u2066\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Every violation that axe finds, as readable lines. */
export async function violations(element: HTMLElement): Promise<string[]> {
  const { violations } = await axe.run(element, {
    rules: { region: { enabled: false }, 'page-has-heading-one': { enabled: false } },
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ failureSummary, html }) => `${id}: ${failureSummary} ${html}`),
  );
}
