// Prevents: a workflow that runs code somebody else can swap (an action named by tag or branch), or with more rights than it needs.
import { lineAt, type Problem, reportProblems } from './report-problems.ts';
import { readText, repositoryFiles } from './workspace.ts';

/** Everything in one workflow or composite action that gives outsiders a way in. */
export function findWorkflowProblems(file: string, text: string): readonly Problem[] {
  const problem = (offset: number, message: string): Problem => ({ file, line: lineAt(text, offset), message });
  const problems: Problem[] = [];
  for (const match of text.matchAll(/^[^#\n]*\buses:[ \t]*["']?([^\s"'#]+)["']?[ \t]*(#[^\n]*)?$/gm)) {
    const [, action = '', comment = ''] = match;
    if (action.startsWith('./')) continue;
    if (!/@[0-9a-f]{40}$/.test(action))
      problems.push(problem(match.index, `${action} is not pinned by a full commit hash`));
    else if (!/^# v\d+\.\d+\.\d+$/.test(comment.trim()))
      problems.push(problem(match.index, `${action} does not say which version the hash is: # v1.2.3`));
  }
  if (!/^jobs:/m.test(text)) return problems;
  if (!/^permissions:/m.test(text))
    problems.push({ file, message: 'has no top-level permissions: start from `permissions: {}` or `contents: read`' });
  for (const match of text.matchAll(/^\s*permissions:[ \t]*(?:write-all|read-all)/gm))
    problems.push(problem(match.index, 'grants everything: name the permissions'));
  for (const match of text.matchAll(/^\s*(?:-\s*)?pull_request_target\b/gm))
    problems.push(problem(match.index, 'pull_request_target runs with our secrets on their code'));
  for (const match of text.matchAll(
    /^(?!\s*#).*\$\{\{\s*github\.(?:head_ref|event\.(?:issue|pull_request|comment|review)\.[\w.]*(?:title|body|ref))\s*\}\}/gm,
  )) {
    problems.push(problem(match.index, 'puts text from outside into a script: pass it through env'));
  }
  for (const match of text.matchAll(
    /^(?!\s*#).*\buses:[ \t]*["']?actions\/checkout@(?:(?!^\s*- )[\s\S])*?(?=^\s*- |(?![\s\S]))/gm,
  )) {
    if (!match[0].includes('persist-credentials: false') && !/^\s*contents: write/m.test(text)) {
      problems.push(problem(match.index, 'leaves the token on disk: with: { persist-credentials: false }'));
    }
  }
  return problems;
}

if (import.meta.main) {
  const files = repositoryFiles().filter((file) => /^\.github\/(?:workflows|actions)\/.*\.ya?ml$/.test(file));
  reportProblems(
    files.flatMap((file) => findWorkflowProblems(file, readText(file))),
    'Pin actions as `uses: owner/name@<40 hex digits> # v1.2.3` and grant each job only what it uses.',
    `${files.length} workflows`,
  );
}
