/** The magic inputs of all scenarios, as the sandbox obeys them and as demo and docs render them. */
import { ALL_SCENARIOS } from './all-scenarios.ts';
import { approved } from './outcomes.ts';
import type { ChosenBy, Scenario } from './scenario.ts';

/** One magic input. */
export interface MagicRow {
  /** Where it is typed. */
  readonly lever: 'card' | 'amount' | 'name';
  /** What to type: a card number, an amount as it goes over the wire, or a cardholder name. */
  readonly input: string;
  /** Name of the scenario that it chooses. */
  readonly scenario: string;
  /** The effect, in one sentence. */
  readonly effect: string;
}

/** A scenario and what made it apply. */
export interface Choice {
  readonly scenario: Scenario;
  readonly chosenBy: ChosenBy;
  /** Name of the scenario that the magic inputs choose, where control has overruled them. */
  readonly magicScenario?: string;
}

/** What chooses by magic. */
export interface MagicInputs {
  readonly name?: string;
  readonly amount?: string;
  /** The scenario of a card, see {@link scenarioOfCard}. */
  readonly card?: Scenario;
}

const BY_CARD = new Map(
  ALL_SCENARIOS.flatMap((scenario) => scenario.cards?.map((card) => [card, scenario] as const) ?? []),
);
const BY_AMOUNT = new Map(ALL_SCENARIOS.flatMap((scenario) => (scenario.amount ? [[scenario.amount, scenario]] : [])));
const BY_NAME = new Map([...BY_CARD.values()].map((scenario) => [toName(scenario), scenario] as const));

/** Every magic input, card numbers first. */
export const MAGIC_ROWS: readonly MagicRow[] = [
  ...[...BY_CARD].map(([input, scenario]) => toRow('card', input, scenario)),
  ...[...BY_AMOUNT].map(([input, scenario]) => toRow('amount', input, scenario)),
  ...[...BY_NAME].map(([input, scenario]) => toRow('name', input, scenario)),
];

/** Whether a card number is one of the test cards; the sandbox refuses every other one. */
export function isTestCard(digits: string): boolean {
  return BY_CARD.has(digits);
}

/** Whether a text contains one of the test cards, which then must not be stored. */
export function containsTestCard(text: string): boolean {
  const digits = text.replace(/[ -]/g, '');
  return [...BY_CARD.keys()].some((card) => digits.includes(card));
}

/** The scenario of a test card, to be remembered instead of its number. */
export function scenarioOfCard(digits: string): Scenario {
  return BY_CARD.get(digits) ?? approved;
}

/**
 * The scenario that the magic inputs ask for. A name beats an amount and an amount beats a card, because a card must
 * always be given; inputs outside the table choose nothing.
 */
export function chooseByMagic(inputs: MagicInputs): Choice {
  const byName = inputs.name === undefined ? undefined : BY_NAME.get(normalizeName(inputs.name));
  if (byName !== undefined) return { scenario: byName, chosenBy: 'name' };
  const byAmount = inputs.amount === undefined ? undefined : BY_AMOUNT.get(inputs.amount);
  if (byAmount !== undefined) return { scenario: byAmount, chosenBy: 'amount' };
  return { scenario: inputs.card ?? approved, chosenBy: 'card' };
}

/** The scenario that control chose, if it chose one, else the one of the magic inputs. */
export function choose(controlled: Scenario | undefined, inputs: MagicInputs): Choice {
  const magic = chooseByMagic(inputs);
  if (controlled === undefined) return magic;
  return { scenario: controlled, chosenBy: 'control', magicScenario: magic.scenario.name };
}

function toRow(lever: MagicRow['lever'], input: string, scenario: Scenario): MagicRow {
  return { lever, input, scenario: scenario.name, effect: scenario.description };
}

function toName(scenario: Scenario): string {
  return scenario.name.replaceAll('-', ' ');
}

function normalizeName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, ' ');
}
