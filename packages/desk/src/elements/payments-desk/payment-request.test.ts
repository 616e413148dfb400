import { expect } from 'vitest';
import { payment, problem } from '../../../test-support/fake-desk.ts';
import {
  all,
  click,
  enter,
  fake,
  mount,
  one,
  requestPayment,
  send,
  settle,
  test,
  textOf,
} from '../../../test-support/fixture.ts';

test('asks which of two amounts is meant, and shows the amount beside the link', async () => {
  fake.desk = { ...fake.desk, property: { ...fake.desk.property, maxAmount: { KWD: 50_000_000 } } };
  const desk = await mount('payments-desk', { locale: 'ar' });
  one(desk, '.top .primary').click();
  await settle();
  const said = await send(desk, { reference: 'RES-77', amount: '12,345' });
  expect(said).toMatch(/قد يعني هذا .*12\.345.* أو .*12,345\.000/);
  expect(fake.writes).toEqual([]);
  await send(desk, { amount: '١٢٫٣٤٥' });
  expect(fake.writes[0]?.body).toMatchObject({ amount: { value: 12_345, currency: 'KWD' } });
  expect(one(desk, '.pay-link .hint').textContent).toContain('12.345');
});

test('shows a request for the same that nobody has paid yet, and makes another one only when it is meant', async () => {
  const desk = await mount('payments-desk');
  await requestPayment(desk, '330', 'RES-3000');
  expect(textOf(desk)).toMatch(
    /This looks like a duplicate\. Nothing was sent\. Existing€330\.00 · .* · by web · Not paid yet ?New€330\.00 · RES-3000/,
  );
  await click(desk, 'It’s a duplicate: don’t send');
  expect(textOf(one(desk, 'payment-details'))).toContain('RES-3000');
  expect(fake.writes).toEqual([]);
  fake.payments = fake.payments.map((each) => ({ ...each, reference: ` ${each.reference}` }));
  await requestPayment(desk, '330', 'res-3000 ');
  await click(desk, 'It’s a duplicate: don’t send');
  expect(fake.writes).toEqual([]);
  await requestPayment(desk, '330', 'RES-3000');
  await click(desk, 'Create link again');
  expect(fake.at('checkout-sessions').map(({ body }) => body)).toEqual([
    {
      kind: 'payment',
      amount: { value: 33_000, currency: 'EUR' },
      reference: 'RES-3000',
      expiresInSeconds: 604_800,
    },
  ]);
  expect(one<HTMLInputElement>(desk, '.pay-link input').value).toContain('/pay/cs_');
});

test('takes its own request for no duplicate when it asks what became of it', async () => {
  const desk = await mount('payments-desk');
  fake.intercept = (call) => {
    if (call.method !== 'POST') return undefined;
    fake.intercept = undefined;
    // It arrives, and its answer does not.
    fake.answer(call);
    fake.payments.push(payment({ status: 'open', amount: { value: 5000, currency: 'EUR' }, reference: 'RES-78' }, 9));
    return Promise.reject(new TypeError('connection lost'));
  };
  await requestPayment(desk, '50', 'RES-78');
  await click(desk, 'Try again');
  expect(one<HTMLInputElement>(desk, '.pay-link input').value).toContain('/pay/cs_');
});

test('takes any currency where the hotel has no limits', async () => {
  fake.desk = { ...fake.desk, property: { ...fake.desk.property, maxAmount: null } };
  const desk = await mount('payments-desk');
  await click(desk, 'Request payment');
  // Letter by letter; a telephone writes the blank.
  for (const currency of ['(', 'k', 'kwd ']) await enter(desk, 'currency', currency);
  const refused = problem(400, 'invalid_request', { param: 'amount.currency' });
  fake.intercept = ({ method }) => (method === 'POST' ? refused : undefined);
  const said = await send(desk, { amount: '12.345', reference: 'RES-77' });
  expect(said).toContain('Check what you entered. (Currency)');
  fake.intercept = undefined;
  await send(desk);
  expect(fake.writes[1]?.body).toMatchObject({ amount: { value: 12_345, currency: 'KWD' } });
});

test('says in the form what may be left out, what the proxy would refuse, and of what it refuses which field it is', async () => {
  const desk = await mount('payments-desk');
  await click(desk, 'Request payment');
  const optional = all<HTMLInputElement>(desk, '.field :not([aria-required=true])[name]');
  expect(optional.map(({ labels }) => labels?.[0]?.textContent)).toEqual(['Description (optional)']);
  const tooMuch = await send(desk, { amount: '5,000.01', reference: 'R'.repeat(65) });
  expect(tooMuch).toContain('The limit is €5,000.00.');
  expect(tooMuch).toContain('Enter at most 64 characters.');
  const card = { amount: '5,000.00', reference: '4242 4242 4242 4242' };
  expect(await send(desk, card)).toContain('never enter card numbers.');
  expect(fake.writes).toEqual([]);
  let param: string | undefined = 'amount.value';
  fake.intercept = ({ method }) => (method === 'POST' ? problem(400, 'invalid_request', { param }) : undefined);
  expect(await send(desk, { reference: 'RES-77' })).toContain(
    'We couldn’t accept that. Check what you entered. (Amount in EUR)',
  );
  param = undefined;
  expect(await send(desk)).toContain('We couldn’t accept that. Check what you entered.');
  expect(textOf(desk)).not.toContain('card numbers');
});

test.each(['a line', 'Back to list'])(
  'keeps what was typed into a request while %s is clicked, until it is canceled',
  async (other) => {
    const desk = await mount('payments-desk');
    const typed = (): string[] => all<HTMLInputElement>(desk, '.action input').map(({ value }) => value);
    await click(desk, 'Request payment');
    for (const [name, value] of Object.entries({ amount: '50', reference: 'RES-7' })) await enter(desk, name, value);
    if (other === 'a line') one(desk, '.line').click();
    else await click(desk, other);
    await settle();
    expect(typed()).toEqual([]);
    await click(desk, 'Request payment');
    expect(typed()).toEqual(['50', 'RES-7', '']);
    await click(desk, 'Cancel');
    await click(desk, 'Request payment');
    expect(typed()).toEqual(['', '', '']);
  },
);
