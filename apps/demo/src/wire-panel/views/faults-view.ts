import { html } from 'hono/html';
import type { ChosenScenario, MagicInput, Scenario } from '../sandbox-control.ts';
import type { Markup } from './redacted-text.ts';
import { type Scope, scopeFields } from './scope.ts';

// What each operation of the payment service does, in a few words.
const OPERATION_HINTS: Readonly<Record<string, string>> = {
  login: 'the proxy logs in',
  initpayNoIframe: 'open a payment page',
  initCreateTokenNoIframe: 'open a page that stores a card',
  paystatus: 'ask for the state',
  transaction: 'read the record',
  pay: 'charge a stored card',
  reversal: 'give money back',
  createToken: 'store a keyed-in card',
  gateway: 'ask the gateway',
};

/** Every way in which the sandbox can misbehave, with a switch for each operation and the inputs that do the same. */
export function faultsView(input: {
  readonly scenarios: readonly Scenario[];
  readonly chosen: readonly ChosenScenario[];
  readonly magic: readonly MagicInput[];
  readonly scope: Scope;
}): Markup {
  const { scenarios, chosen, magic, scope } = input;
  return html`<p class="wire-lead">The sandbox plays the payment service. Choose what goes wrong, then pay and watch the requests.
Typing one of the inputs while you pay does the same for that payment: a test card, an amount in cents, or a cardholder’s name.</p>
<h3>Switched on</h3>
${chosen.length === 0 ? html`<p class="wire-empty">No faults.</p>` : html`<ul class="chosen">${chosen.map(chosenRow)}</ul>`}
<form method="post" action="/wire/faults">${scopeFields(scope, 'faults')}
  <p class="fault-times"><label for="wire-times">For the next</label> <input id="wire-times" name="times" type="number" min="1" max="99" value="1" required> <span>calls of (press again to switch off):</span></p>
  <ul class="fault-list">${scenarios.map((scenario) => scenarioRow(scenario, { chosen, magic }))}</ul>
</form>`;
}

function chosenRow({ operation, scenario, times }: ChosenScenario): Markup {
  return html`<li data-chosen="${operation}/${scenario}"><strong>${scenario}</strong> for <strong>${operation}</strong>, ${times === 1 ? 'once' : `${times} times`}</li>`;
}

function scenarioRow(
  { name, description, operations }: Scenario,
  { chosen, magic }: { readonly chosen: readonly ChosenScenario[]; readonly magic: readonly MagicInput[] },
): Markup {
  const inputs = magic.filter(({ scenario }) => scenario === name);
  return html`<li><p><strong>${name}</strong> ${description}</p>
  ${inputs.length === 0 ? '' : html`<p class="fault-inputs">${inputs.map(({ lever, input }) => html`<span>${lever} <code>${lever === 'card' ? grouped(input) : input}</code></span>`)}</p>`}
  <p class="fault-switches">${operations.map((operation) => faultSwitch({ operation, scenario: name }, chosen))}</p></li>`;
}

function faultSwitch(fault: Pick<ChosenScenario, 'operation' | 'scenario'>, chosen: readonly ChosenScenario[]): Markup {
  const { operation, scenario } = fault;
  const isOn = chosen.some((choice) => choice.operation === operation && choice.scenario === scenario);
  return html`<button class="wire-button" type="submit" name="choice" value="${operation}/${scenario}" aria-pressed="${String(isOn)}" title="${OPERATION_HINTS[operation] ?? ''}"><span class="wire-hidden">${scenario} for </span>${operation}</button>`;
}

function grouped(card: string): string {
  return card.replace(/\d{4}(?=\d)/g, '$& ');
}
