// Prevents: a check that fails without saying where the mistake is and what to do about it.

/** One mistake in one place. */
export interface Problem {
  /** Path relative to the repository's root. */
  readonly file: string;
  readonly line?: number;
  readonly message: string;
}

/** Formats problems the way editors and terminals turn into links: `file:line message`. */
export function formatProblems(problems: readonly Problem[]): string {
  return problems
    .map(({ file, line, message }) => `${line === undefined ? file : `${file}:${line}`}  ${message}`)
    .join('\n');
}

/**
 * Prints what was found and sets the exit code. `advice` is one sentence on how to repair such mistakes; `done` says what
 * was looked at, so that a check that looked at nothing shows.
 */
export function reportProblems(problems: readonly Problem[], advice: string, done: string): void {
  if (problems.length === 0) {
    console.log(done);
    return;
  }
  console.log(formatProblems(problems));
  console.log(`\n${problems.length} problem(s). ${advice}`);
  process.exitCode = 1;
}

/** 1-based line of an offset in a text. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
