// The folder that `npm create innkeep -- --what proxy` makes. That wrangler reads it so: worker-template.outer.test.ts.
import { expect, it } from 'vitest';
import { type Environment, readConfiguration, readEnvironments } from './worker-folder.ts';

const environments = readEnvironments();
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

it('each environment has every object, both limits, and an entry', () => {
  for (const { main, durable_objects, ratelimits, migrations } of [environments.staging, environments.production]) {
    expect(main).toContain('worker.ts');
    expect(durable_objects.bindings).toHaveLength(8);
    expect(migrations.slice(0, 2)).toEqual(RELEASED);
    expect(ratelimits.map(({ name }) => name)).toEqual(['GUEST_LIMIT', 'FAILURE_LIMIT']);
  }
});

it('the package’s own configuration goes on with what is stored, too', () => {
  expect(readConfiguration('packages/edge-proxy/wrangler.jsonc').migrations.slice(0, 2)).toEqual(RELEASED);
});

it('they are two Workers, which share no limit and differ in nothing else', () => {
  const { staging, production } = environments;
  expect([staging.name, production.name]).toEqual(['innkeep-proxy-staging', 'innkeep-proxy']);
  const ids = [staging, production].flatMap(({ ratelimits }) => ratelimits.map(({ namespace_id: id }) => id));
  expect(new Set(ids).size).toBe(4);
  const rest = ({ durable_objects, migrations }: Environment) => ({ durable_objects, migrations });
  expect(rest(staging)).toEqual(rest(production));
});

it('a deployment that names no environment has no entry, which wrangler refuses, and nothing that it could be bound to', () => {
  const { main, durable_objects, ratelimits } = environments.none;
  expect([main, durable_objects.bindings, ratelimits]).toEqual([undefined, [], []]);
});
