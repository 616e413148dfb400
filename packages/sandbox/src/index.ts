/**
 * A faithful, fault-injecting simulator of the hotel payment API and its gateway.
 * @see FIDELITY.md for what it simulates, sentence by sentence.
 */
export type { Completion, SandboxControl, ScenarioChoice, ScenarioList } from './control/control.ts';
export type { ChargeView, HostedView, LedgerView, ReversalView, TokenView } from './control/ledger-view.ts';
export type { Limits } from './domain/ledger.ts';
export type { Operation } from './domain/plan.ts';
export type { WireLogEntry } from './domain/wire-log.ts';
export type { ProfileName } from './profiles/profile.ts';
export type { MagicRow } from './scenarios/magic-table.ts';
export { AnswerLostError } from './server/deliver.ts';
export { createSandbox, type Sandbox } from './server/sandbox.ts';
export { type ServedSandbox, type ServeOptions, serveSandbox } from './server/serve-sandbox.ts';
export { type ProductIdSetting, SandboxConfigurationError, type SandboxOptions } from './world/settings.ts';
export type { SandboxState } from './world/world.ts';
