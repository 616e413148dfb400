import { describe, expect, it } from 'vitest';
import { AURORA } from '../../test-support/environment.ts';
import { nextConfiguration, type PropertyEdit, showConfiguration } from './property-configuration.ts';

const { gateway: _, ...FIELDS } = AURORA;
const HASHES = FIELDS.merchantKeys.map(({ sha256 }) => sha256);

function next(
  edit: PropertyEdit,
  given: { before?: unknown; copied?: unknown; wasRemoved?: boolean; mayBeLive?: boolean } = {},
) {
  const { before, copied, wasRemoved = false, mayBeLive = true } = given;
  return nextConfiguration({ before, copied, edit, wasRemoved, mayBeLive });
}

const replaced = (json: Record<string, unknown>): PropertyEdit => ({ action: 'replaced', json });
const changed = (json: Record<string, unknown>): PropertyEdit => ({ action: 'changed', json });
const refusal = (param: string) => ({ ok: false, code: 'invalid_request', param });

describe('the next configuration', () => {
  it('is refused when it is live and the platform of the key is not, however it is made', () => {
    const live = { ...FIELDS, livemode: true, origins: ['https://aurora.test'] };
    for (const [edit, given] of [
      [replaced(live), {}],
      [changed({ livemode: true, origins: ['https://aurora.test'] }), { before: FIELDS }],
      [{ action: 'rolled_back', version: 1 } as const, { before: FIELDS, copied: live }],
    ] as const) {
      expect(next(edit, { ...given, mayBeLive: false })).toMatchObject(refusal('livemode'));
      expect(next(edit, given)).toMatchObject({ ok: true });
    }
    expect(next({ action: 'removed' }, { before: live })).toMatchObject({ ok: true });
  });

  it('is refused for a live hotel whose operator has no livemode, also when it would end the livemode', () => {
    const live = { ...FIELDS, livemode: true, origins: ['https://aurora.test'] };
    for (const [edit, given] of [
      [replaced(FIELDS), {}],
      [changed({ livemode: false, baseUrl: 'https://elsewhere.test', password: 'p' }), {}],
      [{ action: 'rolled_back', version: 1 } as const, { copied: FIELDS }],
      [{ action: 'removed' } as const, {}],
    ] as const) {
      expect(next(edit, { before: live, ...given, mayBeLive: false })).toMatchObject({ ok: false, code: 'forbidden' });
      expect(next(edit, { before: live, ...given })).toMatchObject({ ok: true });
    }
  });

  it('is refused for some fields of a hotel that was removed, and takes it back whole', () => {
    const given = { before: FIELDS, copied: FIELDS, wasRemoved: true };
    const detail = expect.stringContaining('was removed');
    expect(next(changed({ displayName: 'X' }), given)).toMatchObject({ ok: false, code: 'invalid_request', detail });
    expect(next(changed({}), { ...given, before: undefined })).toMatchObject({ ok: false, detail });
    expect(next(replaced(FIELDS), given)).toMatchObject({ ok: true });
    expect(next({ action: 'rolled_back', version: 1 }, given)).toMatchObject({ ok: true });
  });

  it('sends no secret to another address than it was written for', () => {
    const allowed = { allowedOrigins: ['https://status.test'] };
    const before = { ...FIELDS, ...allowed, previousPassword: 'p0', gateway: AURORA.gateway };
    const origin = new URL(FIELDS.baseUrl).origin;
    const moved = { baseUrl: 'https://elsewhere.test/api' };
    const password = { password: 'p1' };
    const gateway = { apiKey: 'k'.repeat(40) };
    for (const [edit, param] of [
      [moved, 'password'],
      [{ baseUrl: 'https://status.test/api' }, 'password'],
      [{ allowedOrigins: ['https://status.test', 'https://elsewhere.test'] }, 'password'],
      [{ ...moved, ...password }, 'gateway.apiKey'],
      [{ ...moved, ...password, gateway: { allow: ['guests/read'] } }, 'gateway.apiKey'],
      [{ ...moved, ...password, gateway }, 'gateway.productId'],
      [{ ...moved, ...password, gateway: { ...gateway, productId: { name: 'x-id' } } }, 'gateway.productId'],
    ] as const) {
      expect(next(changed(edit), { before })).toMatchObject(refusal(param));
    }
    for (const edit of [
      // The password before opens what was sealed with it, and is sent nowhere.
      { ...moved, ...password, gateway: { ...gateway, productId: { value: 'P-2' } } },
      { ...moved, ...password, gateway: { ...gateway, productId: null } },
      { ...moved, ...password, gateway: null },
      { baseUrl: `${origin}/another/path`, allowedOrigins: [origin] },
      { allowedOrigins: ['https://elsewhere.test'], ...password },
    ]) {
      expect(next(changed(edit), { before })).toMatchObject({ ok: true });
    }
  });

  it('is refused when changes have made it larger than one request could', () => {
    const webhooks = Array.from({ length: 40 }, (_, nth) => ({
      url: `https://hotel.example/${nth}/${'x'.repeat(400)}`,
      secret: `whsec_${'A'.repeat(43)}=`,
    }));
    expect(next(changed({ webhooks }), { before: FIELDS })).toMatchObject(refusal('body'));
    expect(next(changed({ webhooks: webhooks.slice(0, 10) }), { before: FIELDS })).toMatchObject({ ok: true });
  });

  it('has the text as it was written, its keys, and the fields that differ', () => {
    const made = next(replaced({ ...FIELDS, displayName: 'New' }), { before: FIELDS });
    expect(made).toEqual({
      ok: true,
      value: { text: JSON.stringify({ ...FIELDS, displayName: 'New' }), fields: ['displayName'], merchantKeys: HASHES },
    });
  });

  it('is none when nothing changes, unless it brings a removed hotel back', () => {
    expect(next(replaced(FIELDS), { before: FIELDS })).toMatchObject({ value: { fields: null } });
    expect(next(replaced(FIELDS), { before: FIELDS, wasRemoved: true })).toMatchObject({ value: { fields: [] } });
    expect(next({ action: 'removed' }, { wasRemoved: true })).toMatchObject({ value: { text: null, fields: null } });
    expect(next({ action: 'removed' })).toMatchObject({ value: { text: null, fields: [], merchantKeys: [] } });
  });

  it('needs what was there to be changed, and a version that is kept to go back to', () => {
    expect(next(changed({ displayName: 'New' }))).toMatchObject(refusal('body'));
    expect(next({ action: 'rolled_back', version: 7 }, { before: FIELDS })).toMatchObject(refusal('version'));
  });

  it('goes back with the keys of today, which may have been revoked or narrowed since', () => {
    const key = (id: string, digit: string, more = {}) => ({
      id,
      sha256: digit.repeat(64),
      scopes: ['checkout'],
      ...more,
    });
    const [leaked, kept, fresh] = [key('leaked', 'a'), key('kept', 'b'), key('fresh', 'c')];
    const ended = { ...kept, expiresAt: '2026-01-01T00:00:00.000Z' };
    for (const merchantKeys of [[ended, fresh], [kept], [fresh]]) {
      const copied = { ...FIELDS, displayName: 'Then', merchantKeys: [leaked, kept] };
      const before = { ...FIELDS, merchantKeys };
      for (const wasRemoved of [false, true]) {
        const made = next({ action: 'rolled_back', version: 1 }, { copied, before, wasRemoved });
        expect(made).toMatchObject({ ok: true, value: { fields: ['displayName'] } });
        expect(made.ok && JSON.parse(String(made.value.text))).toMatchObject({ displayName: 'Then', merchantKeys });
      }
    }
    expect(next({ action: 'rolled_back', version: 1 }, { copied: FIELDS })).toMatchObject(refusal('body'));
  });

  it('names the field that is wrong, and never its value', () => {
    const refused = next(changed({ timeZone: 'secret-marker' }), { before: FIELDS });
    expect(refused).toMatchObject(refusal('timeZone'));
    expect(JSON.stringify(refused)).not.toContain('secret-marker');
  });

  it('is refused with a webhook’s secret that cannot sign, but keeps one that is stored already', () => {
    const webhooks = [{ url: 'https://hotel.example/hooks', secret: `whsec_${'A'.repeat(33)}` }];
    const before = { ...FIELDS, webhooks };
    for (const edit of [replaced(before), changed({ webhooks })]) {
      const refused = next(edit, { before });
      const detail = expect.stringMatching(/^webhooks\.0\.secret is not Base64/);
      expect(refused).toMatchObject({ ...refusal('webhooks.0.secret'), detail });
      expect(JSON.stringify(refused)).not.toContain('A'.repeat(33));
    }
    expect(next(changed({ displayName: 'New' }), { before })).toMatchObject({ ok: true });
    expect(next({ action: 'rolled_back', version: 1 }, { before: FIELDS, copied: before })).toMatchObject({ ok: true });
    expect(next(changed({ webhooks: null }), { before })).toMatchObject({ ok: true });
  });

  it('is refused with what no call or guest could use, but keeps what is stored already', () => {
    const unusable = { displayName: 'a\nb', gateway: { apiKey: `${'k'.repeat(39)} `, allow: [] } };
    const before = { ...FIELDS, ...unusable };
    expect(next(replaced(before))).toMatchObject(refusal('displayName'));
    expect(next(changed({ gateway: unusable.gateway }), { before: FIELDS })).toMatchObject(refusal('gateway.apiKey'));
    expect(next(changed({ surcharge: true }), { before })).toMatchObject({ ok: true });
    expect(next({ action: 'rolled_back', version: 1 }, { before: FIELDS, copied: before })).toMatchObject({ ok: true });
    expect(showConfiguration(before)).toMatchObject({ problem: null });
  });

  it('names everything that is missing at once', () => {
    const { hotelID: _hotelID, timeZone: _timeZone, ...others } = FIELDS;
    expect(next(replaced(others))).toMatchObject({
      ...refusal('hotelID'),
      detail: 'hotelID is missing; timeZone is missing',
    });
  });
});

describe('what is shown', () => {
  it('is no secret, and of addresses the host', () => {
    const shown = showConfiguration({ ...AURORA, previousPassword: 'previous-marker' });
    const text = JSON.stringify(shown);
    for (const secret of [AURORA.password, 'previous-marker', 'whsec_', AURORA.gateway.apiKey, '/innkeep']) {
      expect(text).not.toContain(secret);
    }
    expect(shown.secrets).toEqual([
      'password',
      'previousPassword',
      'webhooks.0.secret',
      'gateway.apiKey',
      'gateway.productId',
    ]);
    expect(shown.settings).toMatchObject({ webhooks: [{ host: 'hooks.aurora.test' }] });
  });

  it('is why, when it cannot be opened or is no longer right', () => {
    expect(showConfiguration(undefined)).toMatchObject({ settings: null, problem: { field: '' } });
    expect(showConfiguration({ ...FIELDS, timeZone: 'X' })).toMatchObject({ problem: { field: 'timeZone' } });
  });
});
