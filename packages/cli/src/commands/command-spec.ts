import type { Command, Option } from 'commander';
import type { CommandContext } from '../context/command-context.ts';
import { usageError } from '../failures/cli-error.ts';
import type { ExitStatus } from '../failures/exit-code.ts';

/** What the arguments of commands are, by their names in `usage`. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  id: 'short name of the hotel: aurora for PROPERTY_AURORA',
  platform: 'short name of the platform: alpine for PLATFORM_ALPINE',
  'key-id': 'name of a key, as `show` prints it',
  url: 'https address of the receiver',
  endpoint: 'address of an endpoint, or its host; optional when there is only one',
  'field=value': 'what changes; field=@file takes it from a file, @- from standard input',
  session: 'id of a session, cs_…',
  charge: 'id of a charge, ch_…',
  reversal: 'id of a reversal, rv_…',
  payment: 'id of what was paid: a session, cs_…, or a charge, ch_…',
  event: 'id of an event, ev_…',
  step: 'how far, for instance +1h, +90m or +2d12h',
  command: 'your site’s own command, after --',
  'event-type': 'what should happen, for instance checkout.succeeded',
  'protocol/method': 'what to call, for instance RMS/keepalivereq',
};

/** One command: how it is written, what its help says, what it does. */
export interface CommandSpec<Flags = object> {
  /** Name and arguments, such as `get <session>`. */
  readonly usage: string;
  readonly summary: string;
  /** Further paragraphs of its help. */
  readonly details?: string;
  readonly options?: readonly Option[];
  /** Complete command lines, each worth copying. */
  readonly examples: readonly string[];
  /** `flags` are the options by their camelCase names. */
  run(context: CommandContext, args: readonly string[], flags: Flags): Promise<ExitStatus>;
}

export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  /** Each knows its own flags. The parser fills them from the command's own options, so `run` gets what it declares. */
  readonly commands: readonly CommandSpec[];
  /** Commands about one part of the thing, such as its keys. */
  readonly groups?: readonly CommandGroup[];
}

/** A command whose `run` knows the types of its flags. */
export function defineCommand<Flags>(spec: CommandSpec<Flags>): CommandSpec<Flags> {
  return spec;
}

/** Runs a command with its arguments and all flags, global ones included. */
export type Execute = (spec: CommandSpec, args: readonly string[], flags: object) => Promise<void>;

export function addCommandGroup(program: Command, group: CommandGroup, execute: Execute): void {
  const parent = program.command(group.name).description(group.summary);
  for (const spec of group.commands) addCommand(parent, spec, execute);
  for (const inner of group.groups ?? []) addCommandGroup(parent, inner, execute);
}

/** Adds a command to the program or to a group. */
export function addCommand(parent: Command, spec: CommandSpec, execute: Execute): void {
  const command = parent.command(spec.usage).summary(spec.summary);
  command.description([spec.summary, ...(spec.details === undefined ? [] : [spec.details])].join('\n\n'));
  for (const argument of command.registeredArguments) argument.description = ARGUMENTS[argument.name()] ?? '';
  for (const option of spec.options ?? []) command.addOption(option);
  command.addHelpText('after', `\nExamples:\n${spec.examples.map((example) => `  $ ${example}\n`).join('')}`);
  command.action(async () => {
    refuseTakenOptions(command);
    // An absent argument is undefined here.
    const args = command.processedArgs.flat().filter((argument) => argument !== undefined);
    await execute(spec, args, command.optsWithGlobals());
  });
}

/** An empty variable without quotes makes an option take the next one: a charge would lose its idempotency key. @throws `usage` */
function refuseTakenOptions(command: Command): void {
  const names = new Set(command.options.map(({ long }) => long));
  for (const option of command.options) {
    // One that repeats has a list.
    const given: unknown[] = [command.getOptionValue(option.attributeName())].flat();
    const value = given.map((each) => String(each).split('=', 1)[0]).find((each) => names.has(each));
    if (value === undefined) continue;
    throw usageError(
      `${option.long}: “${value}” is an option, not a value. Nothing was sent.`,
      'Is a variable before it empty? Write it in quotes: "$NAME".',
    );
  }
}
