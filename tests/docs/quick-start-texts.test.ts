// What every quick start says the same way stays the same in all of them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/launch.ts';

const FOLDER = join(ROOT, 'docs/quick-starts');

const pages = readdirSync(FOLDER).map((file) => ({
  file,
  text: readFileSync(join(FOLDER, file), 'utf8').replace(/--template [a-z]+/, '--template …'),
}));

/** Text below a heading, up to the next of its level. */
function section(text: string, heading: string): string | undefined {
  return text.split(/^(?=## )/m).find((part) => part.startsWith(`## ${heading}\n`));
}

test.each(['1. Start from nothing', 'What not to do', 'Next'])('“%s” is the same everywhere', (heading) => {
  const texts = new Set(pages.map(({ text }) => section(text, heading)?.trim()));
  expect(pages.length).toBeGreaterThan(6);
  expect([...texts]).toEqual([expect.stringContaining(heading)]);
});

test.each(pages)('$file says what unknown means, and names what is paid once', ({ text }) => {
  expect(text).toMatch(/^# Quick start: /);
  expect(section(text, 'When the outcome is unknown')).toContain('Do not let the guest pay again.');
  expect(text).toMatch(/\.ensure\(booking\.reference, |innkeep_ensure_session\(\$booking\['reference'\],/);
});
