import { AUDIT_ACTIONS, type AuditAction } from '@innkeep/core/contract';
import { Option } from 'commander';
import { usageError } from '../failures/cli-error.ts';
import { given } from '../input/given.ts';
import { authorText } from '../terminal/author-text.ts';
import { type CommandSpec, defineCommand } from './command-spec.ts';
import { answerPages } from './list-command.ts';
import { parseCount } from './shared-options.ts';

interface AuditFlags {
  readonly from?: string;
  readonly to?: string;
  readonly action?: AuditAction;
  readonly key?: string;
  readonly person?: string;
  readonly resource?: string;
  readonly limit?: number;
  readonly cursor?: string;
  readonly all?: boolean;
  readonly csv?: boolean;
}

export const AUDIT_COMMAND: CommandSpec<AuditFlags> = defineCommand<AuditFlags>({
  usage: 'audit',
  summary: 'Show who did what, newest first',
  details: [
    'Shows every write that moves money or decides, every read of a card token, every export, and refused calls. The key needs the scope audit.',
    'With a platform key it shows who changed which hotel; with --property, what was done at that hotel.',
    'Days and instants are UTC; --to is not part of the range. --csv prints a whole range as a table, oldest entry first.',
  ].join('\n'),
  options: [
    new Option('--from <day>', 'first day, 2026-03-01, or instant, 2026-03-01T00:00:00Z'),
    new Option('--to <day>', 'first day or instant after the range'),
    new Option('--action <action>', 'only this action').choices(AUDIT_ACTIONS),
    new Option('--key <name>', 'only what was done with this key, such as web, or alpine/server of a platform'),
    new Option('--person <id>', 'only what this person did'),
    new Option('--resource <id>', 'only what was done to this session, charge or reversal'),
    new Option('--limit <count>', 'at most this many, 1 to 100').argParser(parseCount),
    new Option('--cursor <cursor>', 'the next page: nextCursor of the page before'),
    new Option('--all', 'every page').conflicts('cursor'),
    new Option('--csv', 'as a table').conflicts(['action', 'key', 'person', 'resource', 'limit', 'cursor', 'all']),
  ],
  examples: [
    'innkeep audit --person emp-42 --all',
    'innkeep audit --csv --from 2026-03-01 --to 2026-04-01 > march-audit.csv',
  ],
  async run(context, _args, { from, to, action, key, person, resource, csv, ...place }) {
    const { signal } = context.io;
    if (csv) {
      const { audit } = await context.merchant();
      if (from === undefined || to === undefined) throw usageError('--csv needs a range.', 'Add --from and --to');
      const text = await audit.csv({ from, to }, { signal });
      return context.answer({ csv: text }, text);
    }
    const isOfPlatform = context.hasPlatformKey() && context.property() === undefined;
    const { audit } = await (isOfPlatform ? context.platform() : context.merchant());
    const filter = given({ from, to, action, key, person, resource });
    return answerPages(context, place, (page) => audit.list({ ...filter, ...page }, { signal }), [
      ['TIME', ({ at }) => at],
      ['HOTEL', ({ property }) => property],
      ['WHO', ({ by }) => authorText(by)],
      ['WHAT', ({ action, status, count }) => [action, status, count && `× ${count}`].filter(Boolean).join(' ')],
      ['TO', ({ resource, version, route }) => resource ?? route ?? (version && `version ${version}`)],
      ['FROM', ({ network }) => network],
    ]);
  },
});
