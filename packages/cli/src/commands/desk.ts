import { DESK_FEATURES, type DeskFeature } from '@innkeep/core/contract';
import { InvalidArgumentError, Option } from 'commander';
import { given } from '../input/given.ts';
import { requirePropertyId } from '../property/property.ts';
import { detailList } from '../terminal/table.ts';
import { type CommandSpec, defineCommand } from './command-spec.ts';
import { maxReversalOption } from './shared-options.ts';

interface DeskFlags {
  readonly person: string;
  readonly features: DeskFeature[];
  readonly maxReversal?: Record<string, number>;
}

export const DESK_COMMAND: CommandSpec<DeskFlags> = defineCommand<DeskFlags>({
  usage: 'desk <id>',
  summary: 'Print a link to the page where reception staff work with payments',
  details: [
    'The link works once, within a minute. The page lasts eight hours at most, and ends when nobody has used it for 15 minutes.',
    'The audit names this person for everything done there. The key needs the scope desk, and the scopes of each feature:',
    'read: read; reverse: reversals; charge: charges; link: checkout; resolve: resolutions; export: read.',
  ].join('\n'),
  options: [
    new Option('--person <id>', 'who it is for: an id of your own, such as emp-42').makeOptionMandatory(),
    new Option('--features <list>', `what the person may do, separated by commas: ${DESK_FEATURES.join(',')}`)
      .argParser(parseFeatures)
      .makeOptionMandatory(),
    maxReversalOption('how much the person may refund in a day of the hotel'),
  ],
  examples: [
    'innkeep desk aurora --person anna --features read,reverse',
    "innkeep desk aurora --person anna --features read,reverse --max-reversal '200.00 EUR' --json",
  ],
  async run(context, [givenId = ''], { person, features, maxReversal }) {
    const { deskSessions } = await context.merchant(requirePropertyId(givenId));
    const body = { page: true, person: { id: person }, features, ...given({ maxReversal }) } as const;
    const made = await deskSessions.create(body, { signal: context.io.signal });
    return context.answer(
      made,
      detailList([
        ['Link', made.url],
        ['Open it by', made.expiresAt],
        ['Session', made.id],
      ]),
    );
  },
});

function parseFeatures(text: string): DeskFeature[] {
  return text.split(',').map((name) => {
    const feature = DESK_FEATURES.find((each) => each === name.trim());
    if (feature !== undefined) return feature;
    throw new InvalidArgumentError(`“${name}” is not a feature. The features are ${DESK_FEATURES.join(', ')}.`);
  });
}
