/** Secrets of webhooks, checked when they are written: one of the right form may still be no Base64, and then signs nothing. */
import type { WebhookSettings } from '@innkeep/core/contract';
import { fromBase64Url } from '../http/encoding.ts';

/** The dotted path of the first secret that cannot sign; undefined: all can. */
export function findUnusableSecret(webhooks: readonly WebhookSettings[]): string | undefined {
  return webhooks.flatMap(({ secret }, index) => {
    const path = `webhooks.${index}.secret`;
    if (typeof secret === 'string') return canSign(secret) ? [] : [path];
    return secret.flatMap((each, nth) => (canSign(each) ? [] : [`${path}.${nth}`]));
  })[0];
}

function canSign(secret: string): boolean {
  try {
    return fromBase64Url(secret.slice('whsec_'.length)).length >= 24;
  } catch {
    return false;
  }
}
