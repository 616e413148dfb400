/** `npm create innkeep`: asks what you want and what you build with, and writes the project. */
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cancel, isCancel, select, text } from '@clack/prompts';
import { createProject, whyNotThere } from './create-project.ts';
import { isTemplateName, isWhat, TEMPLATES, type TemplateName, WHATS, type What } from './templates.ts';

const DEFAULT_FOLDER = 'hotel-site';

const HELP = `Usage: npm create innkeep [folder] -- [options]

Writes a project that runs at once with npm run dev.

Options:
  --template <name>  ${Object.keys(TEMPLATES).join(', ')}
  --what <what>      ${Object.keys(WHATS).join(', ')} (default: site)
  --yes              ask nothing; without options it makes a site in plain HTML, in the folder ${DEFAULT_FOLDER}
  --help             show this
`;

interface Answers {
  readonly folder: string;
  readonly template: TemplateName;
  readonly what: What;
}

/** @returns the exit code */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    const given = readFlags(argv);
    if (given.help) {
      process.stdout.write(HELP);
      return 0;
    }
    const answers = await complete(given);
    if (answers === undefined) {
      cancel('Nothing was written.');
      return 1;
    }
    createProject({ ...answers, folder: resolve(answers.folder), isForStrictPnpm: isStrictPnpm() });
    process.stdout.write(whatNext(answers));
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

interface Given extends Partial<Answers> {
  readonly yes: boolean;
  readonly help: boolean;
}

function readFlags(argv: readonly string[]): Given {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      template: { type: 'string', short: 't' },
      what: { type: 'string' },
      yes: { type: 'boolean', short: 'y', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { template, what, yes, help } = values;
  if (template !== undefined && !isTemplateName(template)) {
    throw new Error(`--template ${template} is not one of ${Object.keys(TEMPLATES).join(', ')}.`);
  }
  if (what !== undefined && !isWhat(what)) {
    throw new Error(`--what ${what} is not one of ${Object.keys(WHATS).join(', ')}.`);
  }
  if (positionals.length > 1) throw new Error(`Name one folder, not ${positionals.join(' and ')}.`);
  const [folder] = positionals;
  return { yes, help, ...(folder && { folder }), ...(template && { template }), ...(what && { what }) };
}

/** Asks for what was not given. Undefined: the person gave up. */
async function complete(given: Given): Promise<Answers | undefined> {
  const { yes, folder, template, what } = given;
  // Checked before any question: the answers would be useless.
  const reason = folder === undefined ? undefined : whyNotThere(resolve(folder));
  if (reason !== undefined) throw new Error(reason);
  if (yes) return { folder: folder ?? DEFAULT_FOLDER, template: template ?? 'vanilla', what: what ?? 'site' };
  const isComplete = folder !== undefined && (what === 'proxy' || template !== undefined);
  if (!isComplete && !process.stdin.isTTY) {
    throw new Error('There is no terminal to ask at: name the folder and --template, or add --yes.');
  }
  if (isComplete) return { folder, template: template ?? 'vanilla', what: what ?? 'site' };

  // Ctrl-D ends the input. The library does not notice, and nothing else can happen any more.
  const inputEnded = new AbortController();
  const close = (): void => inputEnded.abort();
  process.once('beforeExit', close);
  try {
    return await ask(given, inputEnded.signal);
  } finally {
    process.off('beforeExit', close);
  }
}

async function ask({ folder, template, what }: Partial<Answers>, signal: AbortSignal): Promise<Answers | undefined> {
  const chosenFolder =
    folder ??
    (await text({
      message: 'Which folder should the project go into?',
      placeholder: DEFAULT_FOLDER,
      defaultValue: DEFAULT_FOLDER,
      validate: (answer) => whyNotThere(resolve(answer || DEFAULT_FOLDER)),
      signal,
    }));
  if (isCancel(chosenFolder)) return undefined;
  const chosenWhat =
    what ??
    (await select({
      message: 'What do you want to make?',
      options: Object.entries(WHATS).map(([value, label]) => ({ value: value as What, label })),
      signal,
    }));
  if (isCancel(chosenWhat)) return undefined;
  if (chosenWhat === 'proxy') return { folder: chosenFolder, template: template ?? 'vanilla', what: chosenWhat };
  const chosenTemplate =
    template ??
    (await select({
      message: 'What is your site built with?',
      options: Object.entries(TEMPLATES).map(([value, { title }]) => ({ value: value as TemplateName, label: title })),
      signal,
    }));
  if (isCancel(chosenTemplate)) return undefined;
  return { folder: chosenFolder, template: chosenTemplate, what: chosenWhat };
}

function whatNext({ folder, template, what }: Answers): string {
  const at = relative(process.cwd(), resolve(folder)) || '.';
  const needs = what === 'proxy' ? undefined : TEMPLATES[template].needs;
  const manager = packageManager();
  return [
    '',
    `Written to ${at === '.' ? 'this folder' : at}. Now:`,
    '',
    ...(at === '.' ? [] : [`  cd ${shellWord(at)}`]),
    `  ${manager} install`,
    `  ${manager} run dev${needs === undefined ? '' : `      needs ${needs}`}`,
    ...(what === 'both'
      ? ['', 'The deployment of the proxy is in the folder proxy; its README says how to take it live.']
      : []),
    '',
    '',
  ].join('\n');
}

/** The one that runs this. Each says so: `yarn/4.18.1 npm/? …`. */
function packageManager(): string {
  return /^(?:bun|pnpm|yarn)(?=\/)/.exec(process.env.npm_config_user_agent ?? '')?.[0] ?? 'npm';
}

/** Whether it is pnpm from 11 on: 10 only warns, and those before refuse a workspace without packages. */
function isStrictPnpm(): boolean {
  return /^pnpm\/(?!\d\.|10\.)/.test(process.env.npm_config_user_agent ?? '');
}

/** A word that a shell reads back as this text. */
function shellWord(text: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(text)) return text;
  return process.platform === 'win32' ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
}
