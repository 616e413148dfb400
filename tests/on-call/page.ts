import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/launch.ts';

/** A task of the page for whoever is on call. */
export interface Task {
  /** The alert that leads to it. */
  readonly alert: string;
  /** What `innkeep status` says. */
  readonly finding: string;
  /** Its commands, block by block. */
  readonly blocks: readonly string[];
}

const [introduction = '', ...tasks] = readFileSync(join(ROOT, 'docs/guides/on-call.md'), 'utf8').split(/^## /m);

const blocksOf = (text: string): string[] =>
  [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? '');

/** What the page begins with. */
export const [FIRST = ''] = blocksOf(introduction);

/** A task by its heading. */
export function taskOf(heading: string): Task {
  const text = tasks.find((task) => task.startsWith(`${heading}\n`)) ?? '';
  const [, seen = ''] = /^\*\*You see\*\* ([\s\S]*?)\n\n/m.exec(text) ?? [];
  const [alert = '', ...others] = [...seen.matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? '');
  return { alert, finding: others.find((code) => code.includes(': ')) ?? 'nothing', blocks: blocksOf(text) };
}
