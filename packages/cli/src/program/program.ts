/** The `innkeep` command as its parser knows it: every command, option and text of `--help`. */
import { Command, Option, type OutputConfiguration } from 'commander';
import { AUDIT_COMMAND } from '../commands/audit.ts';
import { CHARGE_COMMANDS } from '../commands/charge.ts';
import { CLOCK_COMMAND } from '../commands/clock.ts';
import {
  addCommand,
  addCommandGroup,
  type CommandGroup,
  type CommandSpec,
  type Execute,
} from '../commands/command-spec.ts';
import { DESK_COMMAND } from '../commands/desk.ts';
import { DEV_COMMAND } from '../commands/dev.ts';
import { EVENTS_COMMANDS } from '../commands/events.ts';
import { EXPORT_COMMANDS } from '../commands/export.ts';
import { GATEWAY_COMMANDS } from '../commands/gateway.ts';
import { HOTEL_COMMANDS } from '../commands/hotel.ts';
import { KEYS_COMMANDS } from '../commands/keys.ts';
import { LINK_COMMANDS } from '../commands/link.ts';
import { LISTEN_COMMAND } from '../commands/listen.ts';
import { PLATFORM_COMMANDS } from '../commands/platform.ts';
import { REVERSAL_COMMANDS } from '../commands/reversal.ts';
import { SESSION_COMMANDS } from '../commands/session.ts';
import { STATUS_COMMAND } from '../commands/status.ts';
import { TRIGGER_COMMAND } from '../commands/trigger.ts';
import { EXIT_CODES } from '../failures/exit-code.ts';
import { ENVIRONMENT } from '../process/environment.ts';
import { VERSION } from '../process/version.ts';

/** Every command, by what it is about. */
const GROUPS: readonly CommandGroup[] = [
  HOTEL_COMMANDS,
  PLATFORM_COMMANDS,
  KEYS_COMMANDS,
  SESSION_COMMANDS,
  LINK_COMMANDS,
  CHARGE_COMMANDS,
  REVERSAL_COMMANDS,
  EVENTS_COMMANDS,
  EXPORT_COMMANDS,
  GATEWAY_COMMANDS,
];

/** Commands without a group: what a developer has open all day, and how hotels are doing. */
const COMMANDS: readonly CommandSpec[] = [
  DEV_COMMAND,
  LISTEN_COMMAND,
  TRIGGER_COMMAND,
  CLOCK_COMMAND,
  STATUS_COMMAND,
  AUDIT_COMMAND,
  DESK_COMMAND,
];

/** What the parser needs from its caller. */
export interface ProgramSettings {
  readonly execute: Execute;
  /** Where its texts go. */
  readonly output: OutputConfiguration;
}

/** Makes the parser. Where it would end the process it throws. */
export function createProgram({ execute, output }: ProgramSettings): Command {
  const program = new Command('innkeep')
    .description('Set up hotels, and work with sessions, charges, reversals, events and the gateway.')
    .version(VERSION, '--version', 'print the version')
    .helpOption('--help', 'print help')
    .addOption(new Option('--json', 'data as JSON on standard output, messages as JSON lines on standard error'))
    .addOption(new Option('--endpoint <url>', 'address of the proxy, instead of INNKEEP_ENDPOINT'))
    .addOption(new Option('--secret-key-file <file>', 'file with the merchant key, instead of INNKEEP_SECRET_KEY'))
    .addOption(new Option('--platform-key-file <file>', 'file with the platform key, instead of INNKEEP_PLATFORM_KEY'))
    .addOption(new Option('--property <id>', 'the hotel that a platform key acts for'))
    .addHelpText('after', footer())
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(add --help to see what the command takes)')
    .configureOutput(output)
    .exitOverride();
  for (const command of COMMANDS) addCommand(program, command, execute);
  for (const group of GROUPS) addCommandGroup(program, group, execute);
  return program;
}

function footer(): string {
  const variables = Object.entries(ENVIRONMENT);
  const width = Math.max(...variables.map(([name]) => name.length));
  return [
    '\nEnvironment:',
    ...variables.map(([name, description]) => `  ${name.padEnd(width)}  ${description}`),
    '\nExit codes:',
    ...EXIT_CODES.map(([code, meaning]) => `  ${code}  ${meaning}`),
    '',
  ].join('\n');
}
