/** What the proxy refuses a call with. */
import { ProblemSchema } from '@innkeep/core/contract';
import * as v from 'valibot';
import { expect } from 'vitest';
import type { Json } from './client.ts';

/** Expects a call to be refused with this status, by a failure document that says this. */
export async function expectProblem(call: Response | Promise<Response>, status: number, says: Json): Promise<void> {
  const answer = await call;
  const problem = await answer.json<Json>();
  expect([answer.status, problem]).toEqual([status, expect.objectContaining(says)]);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(v.is(ProblemSchema, problem)).toBe(true);
  expect(problem).toMatchObject({ status, traceId: answer.headers.get('x-request-id') });
}
