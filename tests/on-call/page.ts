import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/launch.ts';

const [introduction = '', ...tasks] = readFileSync(join(ROOT, 'docs/guides/on-call.md'), 'utf8').split(/^## /m);

const blocksOf = (text: string): string[] =>
  [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? '');

/** What the page begins with. */
export const [FIRST = ''] = blocksOf(introduction);

/** A task of the page, by its heading: the alert that leads to it, what `innkeep status` says, and its commands, block by block. */
export function taskOf(heading: string) {
  const text = tasks.find((task) => task.startsWith(`${heading}\n`)) ?? '';
  const [, seen = ''] = /^\*\*You see\*\* ([\s\S]*?)\n\n/m.exec(text) ?? [];
  const [alert = '', ...others] = [...seen.matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? '');
  return { alert, finding: others.find((code) => code.includes(': ')) ?? 'nothing', blocks: blocksOf(text) };
}
