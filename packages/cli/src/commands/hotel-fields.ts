import { Option } from 'commander';
import { usageError } from '../failures/cli-error.ts';
import type { Io, Prompter } from '../process/io.ts';
import { parseProperty } from '../property/property.ts';

/** A required field of a property: where it comes from and how it is asked for. */
interface HotelField {
  readonly field: string;
  readonly question: string;
  /** Flag, for a field that is not secret. */
  readonly flag?: string;
  /** Environment variable, for a field that is secret. */
  readonly variable?: string;
  readonly placeholder?: string;
  readonly initial?: string;
  readonly isHidden?: true;
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  readonly isList?: true;
}

const FIELDS: readonly HotelField[] = [
  { field: 'displayName', flag: '--name <text>', question: 'Name that guests read', placeholder: 'Hotel Aurora' },
  {
    field: 'baseUrl',
    flag: '--base-url <url>',
    question: 'Address of the payment service',
    placeholder: 'https://pay.example',
  },
  { field: 'customerId', flag: '--customer-id <id>', question: 'Customer id at the payment service' },
  { field: 'username', variable: 'INNKEEP_UPSTREAM_USERNAME', question: 'User at the payment service' },
  {
    field: 'password',
    variable: 'INNKEEP_UPSTREAM_PASSWORD',
    question: 'Password at the payment service',
    isHidden: true,
  },
  { field: 'hotelID', flag: '--hotel-id <id>', question: 'Id of the hotel in its property-management system' },
  {
    field: 'hotelIDType',
    flag: '--hotel-id-type <type>',
    question: 'Kind of property-management system, as the vendor named it',
  },
  { field: 'user', flag: '--user <name>', question: 'Operator name that the payment service records', initial: 'web' },
  {
    field: 'timeZone',
    flag: '--time-zone <zone>',
    question: 'Time zone of the hotel',
    placeholder: 'Europe/Vienna',
    /** Read when it is asked for: the runtime loads its calendars first, which takes a tenth of a command's start. */
    get initial() {
      return Intl.DateTimeFormat().resolvedOptions().timeZone;
    },
  },
  {
    field: 'amountUnit',
    flag: '--amount-unit <unit>',
    question:
      'How does the payment service count 120.00 EUR? Ask the vendor; the wrong answer charges 100 times too much',
    choices: [
      { value: 'minor', label: 'minor units: 12000' },
      { value: 'major', label: 'major units: 120' },
    ],
  },
  {
    field: 'providerDirect',
    flag: '--provider-direct <name>',
    question: 'serviceProvider for keyed and stored cards, as the vendor named it',
  },
  {
    field: 'providerHosted',
    flag: '--provider-hosted <name>',
    question: 'serviceProvider for hosted pages, as the vendor named it',
  },
  {
    field: 'origins',
    flag: '--origin <origin...>',
    question: 'Origins of the hotel’s own pages, separated by spaces',
    placeholder: 'https://hotel.example',
    isList: true,
  },
];

/** The flags of all fields that are not secret. */
export function hotelFieldOptions(): readonly Option[] {
  return FIELDS.flatMap(({ field, flag, question, choices }) => {
    if (flag === undefined) return [];
    const option = new Option(flag, `${field}: ${question.split(/[?;] /)[0]}`);
    return choices === undefined ? [option] : [option.choices(choices.map(({ value }) => value))];
  });
}

/**
 * Fills in the required fields: from flags, the environment, then by questions.
 *
 * @throws `usage` naming everything that is missing when there is nobody to ask
 */
export async function collectHotelFields(
  io: Io,
  given: Readonly<Record<string, unknown>>,
  flags: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = { ...given };
  for (const field of FIELDS) fields[field.field] = knownValue(io, field, flags) ?? given[field.field];
  const missing = FIELDS.filter(({ field }) => fields[field] === undefined);
  const { prompter } = io;
  if (missing.length > 0 && prompter === undefined) {
    throw usageError(
      `The hotel’s settings are not complete: ${missing.map(({ field }) => field).join(', ')}.`,
      ...missing.map(({ field, flag, variable }) => `${field}: ${flag === undefined ? `set ${variable}` : flag}`),
      'Or give them all as JSON: --from FILE (- is standard input)',
    );
  }
  for (const field of missing) if (prompter !== undefined) fields[field.field] = await ask(prompter, field, fields);
  return fields;
}

function knownValue(io: Io, { flag, variable }: HotelField, flags: Readonly<Record<string, unknown>>): unknown {
  if (flag !== undefined) return flags[new Option(flag).attributeName()];
  const value = io.env[variable ?? ''];
  return value === '' ? undefined : value;
}

async function ask(prompter: Prompter, field: HotelField, soFar: Readonly<Record<string, unknown>>): Promise<unknown> {
  const { question, placeholder, initial, choices, isHidden, isList } = field;
  if (choices !== undefined) return prompter.choose(question, choices);
  const read = (answer: string): unknown => (isList ? answer.split(/\s+/).filter((each) => each !== '') : answer);
  const validate = (answer: string): string | undefined => {
    const value = read(answer);
    if (answer === '') return 'This is required.';
    const checked = parseProperty({ ...soFar, [field.field]: value }, [field.field]);
    const own = 'issues' in checked ? checked.issues.find((each) => isAbout(each.field, field.field)) : undefined;
    return own === undefined ? undefined : `It ${own.message}.`;
  };
  const asked = { message: question, placeholder, initial, validate };
  return read(await (isHidden ? prompter.secret(asked) : prompter.text(asked)));
}

/** Whether a dotted path is a field or inside it: `origins.0` is about `origins`, `hotelIDType` not about `hotelID`. */
function isAbout(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`);
}
