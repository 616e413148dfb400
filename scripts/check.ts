// Prevents: mistakes that only some machines or some people look for. Everything that a tool can tell about this repository
// without running its tests is told by this one command: `npx pnpm check`. With names it runs only those: `pnpm check types size`.
import { availableParallelism } from 'node:os';
import { type CommandResult, inParallel, runCommand } from './run-command.ts';

/** One check: a command that fails when the mistake is there. */
interface Check {
  readonly name: string;
  readonly command: readonly string[];
  /** True when it looks at built files. */
  readonly needsBuild: boolean;
  /** What to do when a tool that is not ours fails. Our own scripts say it themselves. */
  readonly advice?: string;
}

const BUILD: Check = {
  name: 'build',
  command: ['turbo', 'run', 'build', '--continue', '--output-logs=errors-only'],
  needsBuild: false,
  advice:
    'Build the failing package alone for a shorter output: npx pnpm exec turbo run build --filter=@innkeep/<name>',
};

/** A check that is one of our scripts. */
function script(name: string, needsBuild = false): Check {
  return { name, command: ['node', `scripts/check-${name}.ts`], needsBuild };
}

/** Slow ones first: with two at a time, the last to start decides when the whole is done. */
const CHECKS: readonly Check[] = [
  script('published-packages', true),
  {
    ...script('types'),
    advice: 'Repair the types. A cast needs a comment that says why it is true.',
  },
  script('size', true),
  {
    // Prevents: a demo that runs here and cannot be deployed.
    name: 'demo-workers',
    command: ['node', 'scripts/deploy-demo.ts', '--dry-run'],
    needsBuild: true,
  },
  {
    name: 'knip',
    command: ['knip', '--no-progress', '--no-config-hints'],
    needsBuild: false,
    advice: 'Delete what nobody uses, or stop exporting it. An entry that knip cannot know goes into knip.json.',
  },
  script('doc-snippets', true),
  script('reference', true),
  script('bundle', true),
  script('package-exports', true),
  script('docs-site', true),
  script('import-rules'),
  {
    name: 'format-lint',
    command: ['biome', 'ci', '--error-on-warnings', '--diagnostic-level=warn', '--colors=off', '.'],
    needsBuild: false,
    advice: 'Most of it repairs itself: npx pnpm format',
  },
  script('tsdoc'),
  {
    // Prevents: reference tables and a manifest that tell of attributes the elements no longer have.
    name: 'generated',
    command: ['node', 'packages/widgets/scripts/generate.ts', '--check'],
    needsBuild: false,
    advice: 'The build writes these files: npx pnpm build, then commit what it changed.',
  },
  script('project-voice'),
  script('doc-links'),
  script('operation-parity'),
  script('storage'),
  script('changesets'),
  script('dependencies'),
  script('workflows'),
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !CHECKS.some((check) => check.name === name));
if (unknown.length > 0) {
  console.log(
    `There is no check named ${unknown.join(', ')}. There are: ${CHECKS.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(1);
}
const chosen = CHECKS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));

let passed = 0;
let failed = 0;

const mayRun = (check: Check, built: boolean): boolean => built || !check.needsBuild;
const built = chosen.some(({ needsBuild }) => needsBuild) ? await run(BUILD) : true;
await inParallel(
  availableParallelism(),
  chosen.map((check) => async () => {
    if (mayRun(check, built)) await run(check);
    else tell(check, { code: 1, output: 'Not run: it looks at built files, and the build failed.', seconds: 0 });
  }),
);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function run(check: Check): Promise<boolean> {
  const result = await runCommand(check.command);
  tell(check, result);
  return result.code === 0;
}

/** One short line for a check that passed; everything it said for one that failed. */
function tell({ name, advice }: Check, { code, output, seconds }: CommandResult): void {
  const time = `${seconds.toFixed(1)} s`.padStart(7);
  if (code === 0) {
    passed++;
    const lastLine = output.split('\n').at(-1) ?? '';
    console.log(`ok    ${name.padEnd(20)}${time}  ${lastLine.length <= 90 ? lastLine : ''}`.trimEnd());
    return;
  }
  failed++;
  const indented = [output, ...(advice === undefined ? [] : [advice])].join('\n').replaceAll(/^(?=.)/gm, '      ');
  console.log(`FAIL  ${name.padEnd(20)}${time}\n${indented}\n`);
}
