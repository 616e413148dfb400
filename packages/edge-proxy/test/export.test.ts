import { expect, test, vi } from 'vitest';
import { createSession, merchant, startSession } from '../test-support/client.ts';
import { KEYS } from '../test-support/environment.ts';
import { charge, postReversal, useMoneyFakes } from '../test-support/money.ts';

const fakes = useMoneyFakes();

test('writes a row for each charge and reversal of the range, and no formula', async () => {
  const { id } = await charge('csv-1', { reference: '=HYPERLINK("https://x.test")' });
  const reversal = await (
    await postReversal('csv-2', { payment: id, amount: { value: 1_050, currency: 'EUR' } })
  ).json<{ id: string }>();
  fakes.upstream.overrides.pay = () => Response.json({ returnCode: '+51' });
  await charge('csv-3', { reference: 'RES-9' });
  await vi.waitFor(async () => {
    const answer = await merchant('/v1/export.csv?from=2026-01-01&to=2026-12-31');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="aurora-2026-01-01-2026-12-31.csv"');
    const lines = (await answer.text()).trimEnd().split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toContain('"type","id","status"');
    expect(lines[1]).toContain(`"charge","${id}","succeeded","true"`);
    expect(lines[1]).toContain(`"'=HYPERLINK(""https://x.test"")","no_show"`);
    expect(lines[1]).toContain('"EUR","80.00","","10.50","0.00","PAY-1"');
    expect(lines[2]).toContain(`"declined","'+51"`);
    expect(lines[3]).toContain(`"reversal","${reversal.id}","succeeded"`);
    expect(lines[3]).toContain(`"${id}","EUR","10.50"`);
  });
});

test.each([
  ['no range', '', 'from'],
  ['half a range', '?from=2026-01-01', 'to'],
  ['no day', '?from=2026-01-01&to=yesterday', 'to'],
  ['a range backwards', '?from=2026-02-01&to=2026-01-01', 'to'],
  ['two years', '?from=2025-01-01&to=2027-01-01', 'to'],
])('refuses %s', async (_name, query, param) => {
  const answer = await merchant(`/v1/export.csv${query}`);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ code: 'invalid_request', param });
});

test('writes a row for each payment that was started, with what it brought', async () => {
  const { id } = await startSession({ reference: 'RES-SESSION', surcharge: true });
  await createSession({ reference: 'RES-IDLE' });
  await startSession({ kind: 'card', amount: undefined, reference: 'RES-CARD' });
  fakes.upstream.pay(id, { amount: 12_360, surchargeApplied: true, surchargeAmount: 360, surchargePercentUsed: 3 });
  await merchant(`/v1/checkout-sessions/${id}/refresh`, { method: 'POST' });
  await vi.waitFor(async () => {
    const text = await (await merchant('/v1/export.csv?from=2026-01-01&to=2026-12-31')).text();
    const [line = ''] = text.split('\r\n').filter((row) => row.includes(id));
    expect(line).toContain(`"checkout_session","${id}","succeeded","true"`);
    expect(line).toContain(
      '"RES-SESSION","","","EUR","123.60","3.60","0.00","0.00","TX-1","424242......4242","","","false"',
    );
    expect(text).not.toMatch(/RES-IDLE|RES-CARD/);
  });
});

test('an empty range has only the header, and other properties’ rows are not in it', async () => {
  const answer = await merchant('/v1/export.csv?from=2026-01-01&to=2026-12-31', { key: KEYS.borealis });
  expect((await answer.text()).split('\r\n')).toHaveLength(2);
});
