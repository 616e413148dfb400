import { expect, it } from 'vitest';
import { findWorkflowProblems } from './check-workflows.ts';

const PIN = 'df4cb1c069e1874edd31b4311f1884172cec0e10 # v6.0.3';

function workflow(step: string, head = 'permissions:\n  contents: read'): string {
  return `name: CI\non: push\n${head}\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n${step}\n`;
}

function messages(text: string): readonly string[] {
  return findWorkflowProblems('.github/workflows/ci.yml', text).map(({ message }) => message);
}

const CHECKOUT = `      - uses: actions/checkout@${PIN}\n        with:\n          persist-credentials: false`;

it('accepts pinned actions with few rights', () => {
  expect(
    messages(workflow(`${CHECKOUT}\n      - uses: ./.github/actions/set-up\n      - run: npx pnpm check`)),
  ).toEqual([]);
});

it.each([
  ['a tag', '      - uses: actions/setup-node@v6', 'not pinned'],
  ['a branch', '      - uses: "actions/setup-node@main"', 'not pinned'],
  ['a short hash', '      - uses: actions/setup-node@df4cb1c', 'not pinned'],
  [
    'a hash without its version',
    '      - uses: actions/setup-node@df4cb1c069e1874edd31b4311f1884172cec0e10',
    'which version',
  ],
  ['a title in a script', `      - run: echo \${{ github.event.pull_request.title }}`, 'through env'],
  ['a token left on disk', `      - uses: actions/checkout@${PIN}`, 'persist-credentials'],
])('refuses %s', (_, step, message) => {
  expect(messages(workflow(step))).toEqual([expect.stringContaining(message)]);
});

it.each([
  ['no permissions', '', 'no top-level permissions'],
  ['all permissions', 'permissions: write-all', 'grants everything'],
])('refuses %s', (_, head, message) => {
  expect(messages(workflow(CHECKOUT, head))).toEqual([expect.stringContaining(message)]);
});

it('refuses pull_request_target', () => {
  expect(messages(`on:\n  pull_request_target:\npermissions: {}\njobs: {}\n`)).toEqual([
    expect.stringContaining('pull_request_target'),
  ]);
});
