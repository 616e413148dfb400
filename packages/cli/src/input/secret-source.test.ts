import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeKey, makeWebhookSecret } from '../property/secrets.ts';
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

  const OWNERS = ['aurora', 'grand_hotel_vienna', 'a'.repeat(40)];
  const made = OWNERS.flatMap((owner) => [
    makeKey('sk', randomBytes, { id: owner, isLive: true }).secretKey,
    makeKey('pk', randomBytes, { id: owner, isLive: false }).secretKey,
  ]);
  const others = [
    makeWebhookSecret(randomBytes),
    `sk_live_${randomBytes(32).toString('hex')}`,
    `sk_live_${randomBytes(32).toString('base64url')}`,
  ];

  it('refuses a real one in any word', () => {
    for (const secret of [...made, ...others]) {
      const words = [
        secret,
        `--from=${secret}`,
        `keys/${secret}`,
        `{"key": "${secret}."}`,
        `https://x.example/${secret}`,
      ];
      for (const word of words) expect(() => refuseSecretsInArguments([word]), word).toThrow('is a secret');
    }
  });

  it('lets files pass that are named after a key', () => {
    const files = [
      'keyz/sk_test_aurora.key',
      './sk_live_grand_hotel_vienna',
      'C:\\keys\\pk_test_alpine',
      'whsec_desk.txt',
    ];
    for (const file of files)
      expect(() => refuseSecretsInArguments(['--secret-key-file', file, `--from=${file}`]), file).not.toThrow();
  });

  it('lets ids and references pass', () => {
    expect(() =>
      refuseSecretsInArguments(['get', 'cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E', 'desk_test_1', 'RES-1234']),
    ).not.toThrow();
  });
});
