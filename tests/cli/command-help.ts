// What help says: every command, and its examples.
import { runInnkeep } from './run-innkeep.ts';

let commands: Promise<readonly string[]> | undefined;

/** Every command by its full name, from help alone. */
export function allCommands(): Promise<readonly string[]> {
  commands ??= commandsBelow([]);
  return commands;
}

export async function examplesOf(name: string): Promise<readonly string[]> {
  const { stdout } = await runInnkeep([...name.split(' '), '--help']);
  return [...stdout.matchAll(/^ {2}\$ (.+)$/gm)].map(([, line]) => line ?? '');
}

/** Those of a group, and of groups within it. */
async function commandsBelow(group: readonly string[]): Promise<readonly string[]> {
  const names = commandsIn((await runInnkeep([...group, '--help'])).stdout);
  if (names.length === 0) return [group.join(' ')];
  return (await Promise.all(names.map((name) => commandsBelow([...group, name])))).flat();
}

function commandsIn(help: string): readonly string[] {
  const [, list = ''] = help.split('\nCommands:\n');
  return [...list.matchAll(/^ {2}([a-z-]+)/gm)].flatMap(([, name]) =>
    name === undefined || name === 'help' ? [] : [name],
  );
}
