import { describe, expect, it } from 'vitest';
import { refuseSecretsInArguments } from './secret-source.ts';

const CLIENT_SECRET = `cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E_${'x'.repeat(43)}`;

describe('refuseSecretsInArguments', () => {
  it.each(['sk_test_abc', '--secret-key=sk_live_abc', 'pk_test_alpine_abc', 'whsec_abc', CLIENT_SECRET])(
    'refuses %s without repeating it',
    (word) => {
      expect(() => refuseSecretsInArguments(['session', 'list', word])).toThrow(
        /^Word 3 of the command line is a secret/,
      );
    },
  );

  it('lets ids and references pass', () => {
    expect(() =>
      refuseSecretsInArguments(['get', 'cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E', 'desk_test_1', 'RES-1234']),
    ).not.toThrow();
  });
});
