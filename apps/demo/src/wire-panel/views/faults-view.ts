import { html } from 'hono/html';
import type { ArmedScenario, MagicInput, Scenario } from '../sandbox-control-port.ts';
import type { Markup } from './redacted-text.ts';
import { type Scope, scopeFields } from './scope.ts';

const LEVERS: readonly { readonly lever: MagicInput['lever']; readonly title: string; readonly hint: string }[] = [
  {
    lever: 'card',
    title: 'Test cards',
    hint: 'Type one on the payment page, with any future date and any security code.',
  },
  {
    lever: 'amount',
    title: 'Magic amounts',
    hint: 'In cents, as they go over the wire: giving back 66.12 at the desk sends 6612.',
  },
  { lever: 'name', title: 'Magic names', hint: 'Type one as the cardholder on the payment page.' },
];

// The guest's own words for the operations of the upstream API.
const OPERATION_HINTS: Readonly<Record<string, string>> = {
  login: 'the proxy logs in',
  initpayNoIframe: 'open a payment page',
  initCreateTokenNoIframe: 'open a page for a card',
  paystatus: 'ask for the state',
  transaction: 'read the record',
  pay: 'charge a stored card',
  reversal: 'give money back',
  createToken: 'store a keyed-in card',
  gateway: 'ask the gateway',
};

/** Every way in which the simulator can misbehave, each with its switches. */
export function faultsView(input: {
  readonly scenarios: readonly Scenario[];
  readonly armed: readonly ArmedScenario[];
  readonly magic: readonly MagicInput[];
  readonly scope: Scope;
  readonly problem?: string;
}): Markup {
  const { scenarios, armed, magic, scope, problem } = input;
  return html`<p class="wire-lead">The simulator plays the payment service. Tell it what to do wrong, then pay and watch the requests.</p>
${problem === undefined ? '' : html`<p class="wire-problem" role="alert">${problem}</p>`}
<section class="armed" aria-labelledby="wire-armed"><h3 id="wire-armed">Switched on</h3>
${armed.length === 0 ? html`<p class="wire-empty">No fault. Everything goes well unless a magic input says otherwise.</p>` : html`<ul>${armed.map((choice) => armedRow(choice, scope))}</ul>`}
</section>
<form class="faults" method="post" action="/wire/faults">${scopeFields(scope, 'faults')}
  <p class="fault-times"><label for="wire-times">For the next</label> <input id="wire-times" name="times" type="number" min="1" max="99" value="1" required> <span>calls of an operation:</span></p>
  <ul class="fault-list">${scenarios.map((scenario) => scenarioRow(scenario, armed))}</ul>
  <h3>Magic inputs</h3>
  <p class="x-none">Type one where it says, or switch on what it does for the next payment without typing it.</p>
  ${LEVERS.map(({ lever, title, hint }) => {
    const rows = magic.filter((row) => row.lever === lever);
    return magicTable({ title, hint, rows: rows.map((row) => magicRow(row, scenarios, armed)) });
  })}
</form>`;
}

function armedRow({ operation, scenario, times }: ArmedScenario, scope: Scope): Markup {
  return html`<li data-armed="${operation}/${scenario}"><span><strong>${operation}</strong> does <strong>${scenario}</strong>, ${times === 1 ? 'once' : `${times} times`}</span>
  <form method="post" action="/wire/faults">${scopeFields(scope, 'faults')}<input type="hidden" name="times" value="0"><button class="wire-button" type="submit" name="choice" value="${operation}/${scenario}">Switch off<span class="wire-hidden"> ${scenario} for ${operation}</span></button></form></li>`;
}

function scenarioRow({ name, description, operations }: Scenario, armed: readonly ArmedScenario[]): Markup {
  return html`<li><p class="fault-name"><strong>${name}</strong> ${description}</p>
  <p class="fault-switches">${operations.map((operation) => faultSwitch({ operation, scenario: name }, armed))}</p></li>`;
}

function faultSwitch(fault: Pick<ArmedScenario, 'operation' | 'scenario'>, armed: readonly ArmedScenario[]): Markup {
  const { operation, scenario } = fault;
  const isOn = armed.some((choice) => choice.operation === operation && choice.scenario === scenario);
  return html`<button class="fault-switch" type="submit" name="choice" value="${operation}/${scenario}" aria-pressed="${String(isOn)}" title="${OPERATION_HINTS[operation] ?? ''}"><span class="wire-hidden">${scenario} for </span>${operation}</button>`;
}

function magicTable({ title, hint, rows }: { title: string; hint: string; rows: readonly Markup[] }): Markup {
  return html`<details class="magic"><summary>${title} <span class="wire-count">${rows.length}</span></summary>
  <p class="x-none">${hint}</p>
  <ul>${rows}</ul></details>`;
}

function magicRow(row: MagicInput, scenarios: readonly Scenario[], armed: readonly ArmedScenario[]): Markup {
  const { input, scenario, effect, lever } = row;
  const operations = scenarios.find(({ name }) => name === scenario)?.operations ?? [];
  // What opens the guest's payment page decides how the whole payment goes; a few inputs matter only later.
  const operation = operations.find((name) => name === 'initpayNoIframe') ?? operations[0];
  return html`<li><span class="magic-input"><code>${lever === 'card' ? grouped(input) : input}</code> <button class="wire-button" type="button" data-copy="${input}">Copy<span class="wire-hidden"> ${input}</span></button></span>
  <span class="magic-effect"><strong>${scenario}</strong> ${effect}</span>
  ${operation === undefined ? '' : html`<span class="fault-switches">${faultSwitch({ operation, scenario }, armed)}</span>`}</li>`;
}

function grouped(card: string): string {
  return card.replace(/\d{4}(?=\d)/g, '$& ');
}
