import { signWebhook } from '@innkeep/core/webhooks';
import { expect, it } from 'vitest';
import { findUnusableSecret } from './webhook-secrets.ts';

const url = 'https://hotel.example/hooks';
const GOOD = `whsec_${'A'.repeat(43)}=`;

it('finds exactly the secrets that cannot sign', async () => {
  const secrets = Array.from({ length: 40 }, (_, more) => `whsec_${'aB+/9'.repeat(20).slice(0, 28 + more)}`);
  for (const secret of secrets.flatMap((start) => ['', '=', '=='].map((end) => start + end))) {
    const isSigned = await signWebhook({ id: 'ev_1', timestamp: new Date(0), body: '{}', secret }).then(
      () => true,
      () => false,
    );
    expect(findUnusableSecret([{ url, secret }]), secret).toBe(isSigned ? undefined : 'webhooks.0.secret');
  }
});

it('names which of several it is', () => {
  const bad = `whsec_${'A'.repeat(33)}`;
  const bads = { url, secret: [GOOD, bad] };
  expect(findUnusableSecret([{ url, secret: GOOD }, bads])).toBe('webhooks.1.secret.1');
  expect(findUnusableSecret([{ url, secret: [GOOD, GOOD] }])).toBeUndefined();
});
