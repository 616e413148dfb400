/** Every command of `innkeep`, from the definitions that print its `--help`. */
import type { Argument, Command, Option } from 'commander';
import { ENVIRONMENT } from '../../../packages/cli/src/environment.ts';
import { EXIT_CODES } from '../../../packages/cli/src/exit-code.ts';
import { createProgram, GROUPS } from '../../../packages/cli/src/program.ts';
import { variableAnchor } from './configuration-page.ts';
import type { Gaps } from './gaps.ts';
import { address, anchored, blocks, code, codeBlock, codeLink, heading, table } from './markdown.ts';
import { sentence, withCode } from './plain-text.ts';
import type { ReferencePage } from './reference-page.ts';

/** The page of the command line. */
export function commandLinePage(gaps: Gaps): ReferencePage {
  const program = createProgram({ execute: async () => {}, output: {} });
  // A parser knows no examples; they are text after its help.
  const examples = new Map<string, readonly string[]>(
    GROUPS.flatMap((group) =>
      group.commands.map((spec) => [`innkeep ${group.name} ${spec.usage.split(' ')[0]}`, spec.examples] as const),
    ),
  );
  const groups = program.commands.filter(({ commands }) => commands.length > 0);
  return {
    path: 'reference/command-line',
    title: 'Command line',
    description: 'Every command of innkeep with its arguments, options, exit codes and examples.',
    markdown: blocks(
      `${program.description()}`,
      table(
        ['Command', 'Does'],
        groups.flatMap((group) =>
          group.commands.map((command) => [codeLink(nameOf(command), `#${anchor(command)}`), `${command.summary()}.`]),
        ),
      ),
      heading(2, 'Options of every command'),
      optionTable(visible(program), '', gaps),
      heading(2, 'Environment'),
      table(
        ['Variable', 'Holds'],
        ENVIRONMENT.map(({ name, description }) => [
          codeLink(name, address('reference/configuration', variableAnchor(name))),
          sentence(description),
        ]),
      ),
      heading(2, 'Exit codes'),
      table(
        ['Code', 'Means'],
        EXIT_CODES.map(({ code: exit, description }) => [
          anchored(`exit${exit}`, code(String(exit))),
          sentence(description),
        ]),
      ),
      ...groups.flatMap((group) => [
        heading(2, `innkeep ${group.name()}`),
        sentence(group.description()),
        ...group.commands.map((command) => entry(command, examples.get(nameOf(command)) ?? [], gaps)),
      ]),
    ),
  };
}

function entry(command: Command, examples: readonly string[], gaps: Gaps): string {
  const what = nameOf(command);
  return blocks(
    heading(3, what),
    gaps.require(paragraphs(command.description()), what),
    argumentTable(command.registeredArguments, gaps),
    optionTable(visible(command), `${anchor(command)}-`, gaps),
    codeBlock('sh', gaps.require(examples.join('\n'), `${what}: examples`)),
  );
}

/** `innkeep session create`. */
function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

function anchor(command: Command): string {
  return nameOf(command).replaceAll(' ', '-');
}

function visible(command: Command): readonly Option[] {
  return command.createHelp().visibleOptions(command);
}

/** The first line of a description is the summary; every line is a paragraph of its own. */
function paragraphs(text: string): string {
  const [summary = '', ...rest] = text.split(/\n+/);
  return [`${summary}.`, ...rest].map(withCode).join('\n\n');
}

function argumentTable(list: readonly Argument[], gaps: Gaps): string {
  return table(
    ['Argument', 'Meaning'],
    list.map((argument) => [
      code(argument.required ? argument.name() : `${argument.name()}?`),
      sentence(gaps.require(argument.description, `argument ${argument.name()}`)),
    ]),
  );
}

function optionTable(options: readonly Option[], prefix: string, gaps: Gaps): string {
  return table(
    ['Option', 'Meaning'],
    options
      .filter(({ long }) => prefix === '' || long !== '--help')
      .map((option) => {
        const { flags, long = '', description, mandatory, argChoices, defaultValue, negate } = option;
        const words = [
          optionText(gaps.require(description, `option ${flags}`)),
          mandatory ? 'Must be given.' : '',
          argChoices === undefined ? '' : `One of ${argChoices.map(code).join(', ')}.`,
          defaultValue === undefined || negate ? '' : `Default: ${code([defaultValue].flat().join(' '))}.`,
        ];
        return [anchored(`${prefix}option${String(long).slice(1)}`, code(flags)), words.filter(Boolean).join(' ')];
      }),
  );
}

/** An option that fills a field of a property begins with the field's name. */
function optionText(description: string): string {
  const [, field, rest = ''] = /^([a-z]\w*): (.+)$/.exec(description) ?? [];
  if (field === undefined) return sentence(description);
  return `${codeLink(field, address('reference/configuration', field.toLowerCase()))}: ${sentence(rest)}`;
}
