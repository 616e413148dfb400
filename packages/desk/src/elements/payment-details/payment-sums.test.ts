import { expect } from 'vitest';
import { attempt, payment } from '../../../test-support/fake-desk.ts';
import { fake, mount, one, test } from '../../../test-support/fixture.ts';

test('says what was added to the amount that was requested', async () => {
  const EUR = (value: number) => ({ value, currency: 'EUR' });
  const surcharge = { amount: EUR(660), percent: 2 };
  fake.payments = [payment({ taken: EUR(33_660), attempts: [attempt(), attempt({ taken: EUR(33_660), surcharge })] })];
  const details = await mount('payment-details', { payment: fake.payments[0]?.id });
  expect(one(details, '.sums').textContent?.replace(/\s+/g, ' ')).toMatch(
    /Requested€330\.00 Surcharge€6\.60 Received€336\.60/,
  );
});
