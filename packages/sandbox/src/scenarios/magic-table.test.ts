import { expect, it } from 'vitest';
import { ALL_SCENARIOS, scenarioNamed } from './all-scenarios.ts';
import { chooseByMagic, MAGIC_ROWS, scenarioOfCard } from './magic-table.ts';
import { approved } from './outcomes.ts';

it('takes the ordinary way for every amount and name outside the table', () => {
  const amounts = MAGIC_ROWS.filter(({ lever }) => lever === 'amount').map(({ input }) => Number(input));
  for (const amount of ['1', '6599', '6600', String(Math.max(...amounts) + 1), '12000']) {
    expect(chooseByMagic({ amount, name: 'Ann Guest' }).scenario.name, amount).toBe(approved.name);
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

/** A scenario and all that chooses it, in one row. */
function inputsOf({ name, description }: (typeof ALL_SCENARIOS)[number]): readonly string[] {
  const typed = (lever: string): string =>
    MAGIC_ROWS.filter((row) => row.lever === lever && row.scenario === name)
      .map(({ input }) => `\`${input}\``)
      .join(', ') || 'none';
  return [`\`${name}\``, typed('card'), typed('amount'), description];
}

it('is what MAGIC.md shows', async () => {
  const typed = ALL_SCENARIOS.filter(({ name }) => MAGIC_ROWS.some(({ scenario }) => scenario === name));
  const byInput = toTable([['Scenario', 'Card', 'Amount', 'What happens'], ...typed.map(inputsOf)]);
  const document = `# Magic inputs

Generated from \`src/scenarios/\` (run the tests with \`-u\`). A name beats an amount, an amount beats a card, and control beats them all. Any
other input is approved at once.

- **Card**: any expiry in the future and any security code. Every other card number is refused.
- **Amount**: as it goes over the wire, in any currency, for \`pay\`, \`reversal\` and hosted payments: \`6601\` is EUR 66.01.
- **Name**: the scenario itself, as the cardholder on the hosted page or as \`cardText\` of \`createToken\`.
- **Control**: \`POST /__sandbox/scenario\` plays any scenario for the next calls of an operation, also those that no input chooses: refusals,
  redirects, statuses such as \`status-422\`, \`outcome-pending\`. \`GET /__sandbox/scenarios\` lists them, with the operations of each.

${byInput}
`;
  await expect(document).toMatchFileSnapshot('../../MAGIC.md');
});
