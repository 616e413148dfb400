import { expect, it } from 'vitest';
import { ALL_SCENARIOS, scenarioNamed } from './all-scenarios.ts';
import { chooseByMagic, MAGIC_ROWS, scenarioOfCard } from './magic-table.ts';
import { approved } from './outcomes.ts';

it('takes the ordinary way for every amount and name outside the table', () => {
  for (const amount of ['1', '6599', '6600', '6627', '12000']) {
    expect(chooseByMagic({ amount, name: 'Ann Guest' }).scenario).toBe(approved);
  }
});

it('lets a name beat an amount and an amount beat a card', () => {
  const card = scenarioOfCard('4000000000000002');
  const choose = (inputs: { name?: string; amount?: string }): string =>
    chooseByMagic({ card, ...inputs }).scenario.name;
  expect(choose({ name: ' Never-Finishes ', amount: '6602' })).toBe('never-finishes');
  expect(choose({ name: 'Ann', amount: '6602' })).toBe('insufficient-funds');
  expect(choose({ name: 'Ann', amount: '100' })).toBe('declined');
});

it('has names and sentences for every scenario, each name once', () => {
  const names = ALL_SCENARIOS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(MAGIC_ROWS.filter(({ scenario }) => scenarioNamed(scenario) === undefined)).toEqual([]);
  expect(ALL_SCENARIOS.filter(({ description }) => !/^[A-Zr].*\.$/.test(description))).toEqual([]);
});

/** A table in the form that the formatter of this repository writes. */
function toTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map(
    (row) => `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width)).join(' | ')} |`,
  );
  return lines.toSpliced(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`).join('\n');
}

it('is what MAGIC.md shows', async () => {
  const table = (lever: string, head: string): string => {
    const rows = MAGIC_ROWS.filter((row) => row.lever === lever);
    const cells = rows.map(({ input, scenario, effect }) => [`\`${input}\``, `\`${scenario}\``, effect]);
    return toTable([[head, 'Scenario', 'What happens'], ...cells]);
  };
  const byControl = toTable([
    ['Scenario', 'Operations', 'What happens'],
    ...ALL_SCENARIOS.map(({ name, operations, description }) => [`\`${name}\``, operations.join(', '), description]),
  ]);
  const document = `# Magic inputs

Generated from \`src/scenarios/\`: run the tests with \`-u\` to write it anew. The same rows come from
\`GET /__sandbox/magic\`. A name beats an amount, an amount beats a card, and control beats them all. Inputs that are not
in the tables take the ordinary way: approved at once.

## Card numbers

Any expiry in the future and any security code will do. Every other card number is refused.

${table('card', 'Card')}

## Amounts

As they go over the wire, in any currency, for \`pay\`, \`reversal\` and hosted payments: \`6601\` is EUR 66.01.

${table('amount', 'Amount')}

## Names

The cardholder's name on the hosted page, or \`cardText\` of \`createToken\`. Capitals and hyphens do not matter.

${table('name', 'Name')}

## By control

\`POST /__sandbox/scenario\` with \`{ "operation", "scenario", "times" }\` plays any scenario for the next calls of an operation
that it lists.

${byControl}
`;
  await expect(document).toMatchFileSnapshot('../../MAGIC.md');
});
