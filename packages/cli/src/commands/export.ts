import { resolve } from 'node:path';
import { Option } from 'commander';
import { EXIT } from '../failures/exit-code.ts';
import { writePrivateFile } from '../property/env-file.ts';
import { type CommandGroup, defineCommand } from './command-spec.ts';

interface CsvFlags {
  readonly from: string;
  readonly to: string;
  readonly by: 'created' | 'completed';
  readonly out?: string;
}

const csv = defineCommand<CsvFlags>({
  usage: 'csv',
  summary: 'Export payments, charges and reversals for the acquirer’s statement',
  details: [
    'One row for each payment that was started, each charge and each reversal of the range, with a header row.',
    'Days and instants are UTC; --to is not part of the range. The key needs the scope read.',
    'With --by completed, a payment is in the file of the month in which it was paid, as on the statement.',
  ].join('\n'),
  options: [
    new Option('--from <day>', 'first day, 2026-03-01, or instant, 2026-03-01T00:00:00Z').makeOptionMandatory(),
    new Option('--to <day>', 'first day or instant after the range, at most a year later').makeOptionMandatory(),
    new Option('--by <time>', 'which time must be in the range').choices(['created', 'completed']).default('created'),
    new Option('--out <file>', 'write the table into a file that only you can read'),
  ],
  examples: [
    'innkeep export csv --from 2026-03-01 --to 2026-04-01 > march.csv',
    'innkeep export csv --from 2026-03-01 --to 2026-04-01 --by completed --out march.csv',
  ],
  async run(context, _args, { from, to, by, out }) {
    const { exports } = await context.merchant();
    const range = by === 'completed' ? { completedFrom: from, completedTo: to } : { from, to };
    const text = await exports.csv(range, { signal: context.io.signal });
    // Lines end with CR LF; a line break within a field counts too, so this is a figure for people only.
    const rows = text.split('\r\n').length - 2;
    if (out === undefined) await context.answer({ csv: text }, text);
    else {
      await writePrivateFile(resolve(context.io.cwd, out), text);
      await context.answer({ out, bytes: Buffer.byteLength(text) }, '');
    }
    if (!context.isJson) await context.note(`${rows} rows${out === undefined ? '' : `, in ${out}`}`);
    return EXIT.ok;
  },
});

export const EXPORT_COMMANDS: CommandGroup = {
  name: 'export',
  summary: 'Tables for the hotel’s books',
  commands: [csv],
};
