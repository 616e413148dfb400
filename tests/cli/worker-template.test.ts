// The folder that `npm create innkeep -- --what proxy` makes. That wrangler reads it so: worker-template.outer.test.ts.
import { expect, it } from 'vitest';
import { type Environment, readEnvironments } from './worker-folder.ts';

const environments = readEnvironments();

it('each environment has every object, both limits, and an entry', () => {
  for (const { main, durable_objects, ratelimits, migrations } of [environments.staging, environments.production]) {
    expect(main).toContain('worker.ts');
    expect(durable_objects.bindings).toHaveLength(8);
    expect(migrations.flatMap(({ new_sqlite_classes: classes }) => classes)).toHaveLength(8);
    expect(ratelimits.map(({ name }) => name)).toEqual(['GUEST_LIMIT', 'FAILURE_LIMIT']);
  }
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
