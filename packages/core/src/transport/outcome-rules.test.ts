import { describe, expect, it } from 'vitest';
import { type CallClass, type Evidence, evidenceOfStatus, OUTCOME_RULES } from './outcome-rules.ts';

const cells = Object.entries(OUTCOME_RULES).flatMap(([callClass, rules]) =>
  Object.entries(rules).map(([evidence, rule]) => ({
    callClass: callClass as CallClass,
    evidence: evidence as Evidence,
    rule,
  })),
);

/** The only proofs that nothing was executed, and the one that it was refused. */
const PROOF: readonly Evidence[] = ['not_sent', 'unauthorized', 'forbidden', 'refused', 'declined'];

describe('the outcome rules', () => {
  it('have every cell', () => {
    expect(cells).toHaveLength(4 * 14);
    expect(cells.filter(({ rule }) => typeof rule.code !== 'string')).toEqual([]);
  });

  it.each(cells.filter(({ callClass }) => callClass === 'money'))('money, $evidence', ({ evidence, rule }) => {
    if (PROOF.includes(evidence)) expect(rule.code).not.toBe('outcome_unknown');
    else expect(rule).toEqual({ code: 'outcome_unknown' });
    expect(rule.again).not.toBe('backoff');
  });

  it.each(cells.filter(({ callClass }) => callClass !== 'money'))(
    '$callClass, $evidence',
    ({ callClass, evidence, rule }) => {
      expect(rule.code).not.toBe('outcome_unknown');
      const isPassing = ['not_sent', 'connection_lost', 'throttled', 'server_failed'].includes(evidence);
      expect(rule.again === 'backoff').toBe(isPassing && callClass !== 'prepare');
      expect(rule.again === 'new_token').toBe(evidence === 'unauthorized' && callClass !== 'login');
    },
  );

  it('know what every status is evidence of', () => {
    const expected = (status: number): Evidence => {
      if (status === 401) return 'unauthorized';
      if (status === 403) return 'forbidden';
      if (status === 408 || status === 429) return 'throttled';
      if (status === 0 || (status >= 300 && status < 400)) return 'redirected';
      return status >= 500 && status < 600 ? 'server_failed' : 'rejected';
    };
    for (let status = 0; status < 1000; status++) expect(evidenceOfStatus(status)).toBe(expected(status));
  });
});
