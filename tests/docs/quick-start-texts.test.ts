// What every quick start says the same way stays the same in all of them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/launch.ts';

const FOLDER = join(ROOT, 'docs/quick-starts');

/** What all of them share is said here once. */
const SHARED = 'first-payment.md';

const pages = readdirSync(FOLDER)
  .filter((file) => file !== SHARED)
  .map((file) => ({
    file,
    text: readFileSync(join(FOLDER, file), 'utf8').replace(/--template [a-z]+/, '--template …'),
  }));

/** Text below a heading, up to the next of its level. */
function section(text: string, heading: string): string | undefined {
  return text.split(/^(?=## )/m).find((part) => part.startsWith(`## ${heading}\n`));
}

test('“1. Start from nothing” is the same everywhere', () => {
  const texts = new Set(pages.map(({ text }) => section(text, '1. Start from nothing')?.trim()));
  expect(pages.length).toBeGreaterThan(6);
  expect([...texts]).toEqual([expect.stringContaining('npm create innkeep')]);
});

test('the page they share says what unknown means', () => {
  const text = readFileSync(join(FOLDER, SHARED), 'utf8');
  expect(section(text, 'When the outcome is unknown')).toContain('Do not let the guest pay again.');
  expect(section(text, 'What not to do')).toContain('proof of payment');
});

test.each(pages)('$file leads there, and names what is paid once', ({ text }) => {
  expect(text).toMatch(/^# Quick start: /);
  for (const anchor of ['pay', 'when-the-outcome-is-unknown', 'what-not-to-do']) {
    expect(text).toContain(`(${SHARED}#${anchor})`);
  }
  expect(text).toMatch(/\.ensure\(booking\.reference, |innkeep_ensure_session\(\$booking\['reference'\],/);
});
