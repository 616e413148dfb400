import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  CheckoutError,
  DeclinedError,
  GatewayError,
  InnkeepError,
  isInnkeepError,
  isProblemError,
  MerchantError,
  NetworkError,
} from './errors.ts';

describe('isInnkeepError', () => {
  it('recognises our errors, with and without a code', () => {
    const error: unknown = new DeclinedError('pay', '1', 'no');
    expect(isInnkeepError(error)).toBe(true);
    expect(isInnkeepError(error, 'declined') && error.returnCode).toBe('1');
    expect(isInnkeepError(error, 'network')).toBe(false);
  });

  it('recognises errors of another copy of the module', async () => {
    const copyPath = './errors/innkeep-error.ts?copy';
    const copy = (await import(/* @vite-ignore */ copyPath)) as typeof import('./errors/innkeep-error.ts');
    const error = new copy.InnkeepError('network', 'x');
    expect(error).not.toBeInstanceOf(InnkeepError);
    expect(isInnkeepError(error, 'network')).toBe(true);
  });

  it.each([[new Error('x')], [undefined], [null], ['network'], [{ code: 'network' }]])('refuses %s', (value) => {
    expect(isInnkeepError(value)).toBe(false);
    expect(isInnkeepError(value, 'network')).toBe(false);
  });

  it('tells explained refusals of the proxy apart', () => {
    const details = { status: 409, retryAfterSeconds: 1 };
    expect(isProblemError(new CheckoutError('session_not_open', 'x', details))).toBe(true);
    expect(isProblemError(new MerchantError('possible_duplicate', 'x', details))).toBe(true);
    expect(isProblemError(new NetworkError('x'))).toBe(false);
  });
});

describe('toJSON', () => {
  it('has the details and neither cause nor stack', () => {
    const error = new NetworkError('no connection', { cause: new Error('secret') });
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'NetworkError',
      code: 'network',
      message: 'no connection',
    });
  });

  it('leaves the reply of the gateway out, but keeps it at hand', () => {
    const error = new GatewayError('failed', { guest: 'A. Guest' });
    expect(error.reply).toEqual({ guest: 'A. Guest' });
    expect(JSON.stringify(error)).not.toContain('A. Guest');
    expect(inspect(error)).not.toContain('A. Guest');
  });
});

describe('what to do', () => {
  it.each(['network', 'timeout', 'upstream_status', 'invalid_response', 'gateway_status', 'xml_refused'])(
    'after %s says that a gateway message may have been carried out',
    (code) => {
      const source = ['errors.ts', 'errors/gateway-errors.ts']
        .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
        .join('\n');
      const [comment = ''] = source
        .split('/**')
        .filter((part) => part.includes(`code = '${code}'`) || part.includes(`code: '${code}'`));
      expect(comment.replaceAll(/\s+\*\s+/g, ' ')).toMatch(
        /What to do: .*look into the property-management system before sending .*message again/i,
      );
    },
  );
});
