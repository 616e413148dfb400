/** The states of sessions, charges and reversals, and what leads from one to the next. */
import {
  MONEY_EVENT_WORDS,
  MONEY_STATE_WORDS,
  SESSION_EVENT_WORDS,
  SESSION_STATE_WORDS,
} from '../../../packages/edge-proxy/openapi/state-words.ts';
import { isMoneyNews, MONEY_TRANSITIONS } from '../../../packages/edge-proxy/src/policy/money-machine.ts';
import { SESSION_TRANSITIONS, sessionEventType } from '../../../packages/edge-proxy/src/policy/session-machine.ts';
import { address, anchorOf, blocks, code, codeLink, heading, table } from './markdown.ts';
import type { ReferencePage } from './reference-page.ts';

interface Machine {
  readonly name: string;
  readonly first: string;
  readonly transitions: Readonly<Record<string, Readonly<Partial<Record<string, string>>>>>;
  readonly states: Readonly<Record<string, string>>;
  readonly events: Readonly<Record<string, string>>;
  /** Types of the feed events that entering a state leaves. */
  readonly feedEvents: (state: string) => readonly string[];
}

const SESSION: Machine = {
  name: 'Checkout session',
  first: 'open',
  transitions: SESSION_TRANSITIONS,
  states: SESSION_STATE_WORDS,
  events: SESSION_EVENT_WORDS,
  feedEvents: (state) =>
    [sessionEventType(state as keyof typeof SESSION_TRANSITIONS)].filter((type) => type !== undefined),
};

const MONEY: Machine = {
  name: 'Charge and reversal',
  first: 'created',
  transitions: MONEY_TRANSITIONS,
  states: MONEY_STATE_WORDS,
  events: MONEY_EVENT_WORDS,
  feedEvents: (state) =>
    isMoneyNews(state as keyof typeof MONEY_TRANSITIONS) ? [`charge.${state}`, `reversal.${state}`] : [],
};

/** The page of both machines. */
export function statesPage(): ReferencePage {
  return {
    path: 'reference/states',
    title: 'States',
    description: 'The states of a checkout session, a charge and a reversal, and every transition between them.',
    markdown: blocks(
      [
        'The proxy has two state machines. Only the transitions in these tables happen; an event that a state does not list',
        'changes nothing. Every transition raises the `seq` of its resource by one. A state that nothing leads out of is final.',
      ].join('\n'),
      ...[SESSION, MONEY].map(machine),
    ),
  };
}

function machine({ name, first, transitions, states, events, feedEvents }: Machine): string {
  const stateRows = Object.entries(states).map(([state, words]) => [
    code(state),
    words,
    Object.keys(transitions[state] ?? {}).length === 0 ? 'yes' : 'no',
    feedEvents(state)
      .map((type) => codeLink(type, address('reference/events', anchorOf(type))))
      .join(', ') || 'none',
  ]);
  const arrows = Object.entries(transitions).flatMap(([from, row]) =>
    Object.entries(row).map(([event, to]) => [code(from), code(event), code(to ?? ''), events[event] ?? '']),
  );
  return blocks(
    heading(2, name),
    `It begins as ${code(first)}.`,
    heading(3, `${name}: states`),
    table(['State', 'Meaning', 'Final', 'Events of the feed'], stateRows),
    heading(3, `${name}: transitions`),
    table(['From', 'Event', 'To', 'Decided from'], arrows),
  );
}
