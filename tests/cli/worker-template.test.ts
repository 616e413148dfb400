// The folder that `npm create innkeep -- --what proxy` makes. That wrangler reads it so: worker-template.outer.test.ts.
import { expect, it } from 'vitest';
import { type Environment, readConfiguration, readEnvironments } from './worker-folder.ts';

const environments = readEnvironments();
const TESTED = readConfiguration('packages/edge-proxy/wrangler.jsonc');
/** What the deployments of 1.0.0 have gone through. After another tag or class nothing that is stored would be found. */
const RELEASED = [
  {
    tag: 'v1',
    new_sqlite_classes: [
      'AccessTokenObject',
      'CheckoutSessionObject',
      'MoneyOperationObject',
      'LedgerObject',
      'IdKeyObject',
    ],
  },
  { tag: 'v2', new_sqlite_classes: ['PropertyObject', 'PropertyDirectoryObject', 'PlatformFeedObject'] },
];

it('each environment is what the proxy is tested with, and has an entry', () => {
  const limitsOf = ({ ratelimits }: Environment) => ratelimits.map(({ namespace_id, ...limit }) => limit);
  for (const environment of [environments.staging, environments.production]) {
    const { compatibility_date, compatibility_flags, durable_objects, migrations, observability } = TESTED;
    const same = { compatibility_date, compatibility_flags, durable_objects, migrations, observability };
    expect(environment).toMatchObject({ ...same, main: expect.stringContaining('worker.ts') });
    expect(limitsOf(environment)).toEqual(limitsOf(TESTED));
  }
});

it('whose webhooks reach other Workers by their public addresses, as those of the demo do', () => {
  const { compatibility_flags } = readConfiguration('apps/demo/workers/proxy/wrangler.jsonc');
  expect(compatibility_flags).toEqual(['global_fetch_strictly_public']);
  expect(TESTED).toMatchObject({ compatibility_flags });
});

it('that goes on with what is stored', () => {
  expect(TESTED.migrations.slice(0, 2)).toEqual(RELEASED);
});

it('they are two Workers, which share no limit', () => {
  const { staging, production } = environments;
  expect([staging.name, production.name]).toEqual(['innkeep-proxy-staging', 'innkeep-proxy']);
  const ids = [staging, production].flatMap(({ ratelimits }) => ratelimits.map(({ namespace_id: id }) => id));
  expect(new Set(ids).size).toBe(4);
});

it('a deployment that names no environment has no entry, which wrangler refuses, and nothing that it could be bound to', () => {
  const { main, durable_objects, ratelimits } = environments.none;
  expect([main, durable_objects.bindings, ratelimits]).toEqual([undefined, [], []]);
});
