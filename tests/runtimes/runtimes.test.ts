// One smoke suite, the packed package: here where it is deployed to and where servers run. Every other runtime: runtimes.outer.test.ts.
import { afterAll, beforeAll, test } from 'vitest';
import { serveWorker } from '../support/workerd.ts';
import { allOk, type SmokeProject, startSmokeProject } from './smoke-project.ts';
import type { SmokeResults } from './smoke-suite.ts';

let project: SmokeProject;

beforeAll(async () => {
  project = await startSmokeProject();
});
afterAll(() => project?.close());

test.concurrent('the packed package works on Node 24', async ({ expect }) => {
  expect(process.versions.node).toMatch(/^24\./);
  const results = await project.run('node24', process.execPath);
  expect(results).toEqual(allOk(results));
  expect(Object.keys(results).length).toBeGreaterThan(10);
});

test.concurrent('the packed package works on workerd', async ({ expect }) => {
  const { url, stop } = await serveWorker(project.folder);
  try {
    const response = await fetch(`${url}/?upstream=${encodeURIComponent(`${project.origin}/workerd`)}`);
    const results = (await response.json()) as SmokeResults;
    expect(results).toEqual(allOk(results));
  } finally {
    stop();
  }
});
