/** Draws histories: a mixture of everything, narrow ones, and stories. */
import fc from 'fast-check';
import { COMMANDS, type Command, DIRECTORY_COMMANDS, FIRST_IN_DIRECTORY, type History, some } from './commands.ts';
import { DIRECTORY_STORIES, OPERATOR_STORIES, STORIES } from './stories.ts';
import { CALM, type Faults } from './world.ts';

/** What a history is about: a mixture of everything meets everything, and a narrow one meets itself. */
const SUBJECTS: readonly (readonly (keyof typeof COMMANDS)[])[] = [
  ['charge', 'reverse', 'resolve', 'again', 'wait', 'crash', 'endpoint'],
  ['charge', 'reverse', 'again', 'wait'],
  ['reverse', 'again'],
  ['session', 'start', 'guest', 'manage', 'resolve', 'wait', 'reverse', 'configure', 'crash'],
  ['ensure', 'start', 'guest', 'retry', 'manage', 'wait', 'reverse', 'resolve', 'crash'],
  ['ensure', 'start', 'guest', 'wait'],
  ['link', 'startLink', 'guest', 'ensure', 'manage', 'wait'],
  ['charge', 'endpoint', 'wait', 'configure', 'ledgerAway', 'redeliver', 'guest'],
];

/** Most defects need few commands, and two short histories take the time of a long one. */
const SHORT = 6;
const LONG = 12;

function commandsAbout(names: readonly (keyof typeof COMMANDS)[]): fc.Arbitrary<readonly Command[]> {
  const command = fc.oneof(...names.map((name): fc.WeightedArbitrary<Command> => COMMANDS[name]));
  const commands = (maxLength: number): fc.WeightedArbitrary<Command[]> => ({
    weight: maxLength === SHORT ? 2 : 1,
    arbitrary: fc.array(command, { minLength: 1, maxLength, size: 'max' }),
  });
  return fc.oneof(commands(SHORT), commands(LONG));
}

/** The same for the hotels of the directory, and now and then for another one. */
function inDirectory(commands: readonly Command[]): readonly Command[] {
  return commands.map((command, nth) =>
    'hotel' in command && command.do !== 'configure' && nth % 5 < 4
      ? { ...command, hotel: command.hotel + FIRST_IN_DIRECTORY }
      : command,
  );
}

/** The directory, and what its hotels do. */
const DIRECTORY_SUBJECTS: readonly (readonly (keyof typeof COMMANDS)[])[] = [
  ['list', 'wait', 'crash'],
  ['session', 'ensure', 'start', 'guest', 'retry', 'manage', 'wait', 'link', 'startLink'],
  ['charge', 'reverse', 'again', 'wait', 'endpoint', 'stranger'],
];

function commandsAboutDirectory(names: readonly (keyof typeof COMMANDS)[]): fc.Arbitrary<readonly Command[]> {
  const command = fc.oneof(
    ...names.map((name): fc.WeightedArbitrary<Command> => COMMANDS[name]),
    ...Object.values(DIRECTORY_COMMANDS),
  );
  return fc.array(command, { minLength: 1, maxLength: LONG, size: 'max' }).map(inDirectory);
}

const often = (...likelihoods: number[]): fc.Arbitrary<number> => some([0, 0, 0, ...likelihoods]);

const faultsArbitrary: fc.Arbitrary<Faults> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(CALM) },
  // Nothing but messages: the others end more stories than they begin.
  {
    weight: 1,
    arbitrary: fc
      .record({ rpcLost: some([0, 0.1, 0.3]), rpcSlow: some([0.1, 0.3]) })
      .map((faults) => ({ ...CALM, ...faults })),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      crash: often(0.01, 0.03, 0.08),
      rpcLost: often(0.02, 0.08),
      rpcSlow: often(0.02, 0.1),
      netLost: often(0.02, 0.1),
      netSlow: often(0.02, 0.1),
      evict: often(0.1, 0.5),
      slowDisk: often(0.1, 0.5),
      lateAlarm: often(0.05, 0.3),
    }),
  },
);

const seed = fc.noShrink(fc.nat(0x7fffffff));

export const historyArbitrary: fc.Arbitrary<History> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      seed,
      faults: faultsArbitrary,
      commands: fc.oneof(
        // Every name that the table has.
        { weight: 3, arbitrary: commandsAbout(Object.keys(COMMANDS) as (keyof typeof COMMANDS)[]) },
        ...SUBJECTS.map((names) => ({ weight: 1, arbitrary: commandsAbout(names) })),
        ...DIRECTORY_SUBJECTS.map((names) => ({ weight: 1, arbitrary: commandsAboutDirectory(names) })),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(seed, fc.oneof(...STORIES, ...DIRECTORY_STORIES, ...OPERATOR_STORIES))
      .map(([seed, told]) => ({ seed, ...told })),
  },
);
