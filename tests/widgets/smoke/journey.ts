/** The one journey that every engine must manage: open, pay, come back, read the receipt. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/launch.ts';
import { type FakeHotel, startFakeHotel } from '../../support/fake-hotel.ts';

/** What a driver can do with a page of its browser. */
export interface SmokePage {
  goto(url: string): Promise<void>;
  /** Runs an expression in the page. */
  evaluate(expression: string): Promise<unknown>;
}

const FILE = join(ROOT, 'packages/widgets/dist/cdn/widgets.js');
const PATIENCE_MS = 15_000;

/** Drives the journey; rejects at the first step that does not happen. */
export async function payOnce(engine: string, page: SmokePage): Promise<void> {
  const hotel: FakeHotel = await startFakeHotel({
    '/widgets.js': () => ({ body: readFileSync(FILE), type: 'text/javascript' }),
    '/booking': () => ({
      body: html(
        `<pay-widget locale="en" endpoint="${hotel.proxyUrl}" client-secret="${session.clientSecret}"></pay-widget>`,
      ),
    }),
    '/return': () => ({ body: html('<payment-status locale="en"></payment-status>') }),
  });
  const session = hotel.openSession(`${hotel.siteUrl}/return`);

  const until = async (step: string, expression: string): Promise<void> => {
    const giveUp = Date.now() + PATIENCE_MS;
    while (Date.now() < giveUp) {
      // A page that is being left has nothing to answer with.
      if (await page.evaluate(expression).catch(() => false)) {
        console.log(`${engine}: ${step}`);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`${engine}: not within ${PATIENCE_MS} ms: ${step}`);
  };
  const text = (tag: string): string => `document.querySelector('${tag}')?.shadowRoot?.textContent ?? ''`;
  const click = `document.querySelector('pay-widget').shadowRoot.querySelector('[part~=button], [part~=link]').click()`;

  try {
    await page.goto(`${hotel.siteUrl}/booking`);
    await until('shows the amount', `(${text('pay-widget')}).includes('Pay €120.00')`);
    await page.evaluate(click);
    await until('opens the hosted page', `location.pathname === '/payment'`);
    await page.goto(`${hotel.siteUrl}/booking`);
    await until('waits after a way back', `document.querySelector('pay-widget').state === 'waiting'`);
    await page.evaluate(click);
    await until('opens the same hosted page again', `location.pathname === '/payment'`);
    await page.evaluate(`document.getElementById('pay').click()`);
    await until('shows the receipt', `(${text('payment-status')}).includes('Payment complete')`);
    if (hotel.statusOf(session.id) !== 'succeeded') throw new Error(`${engine}: the session is not paid.`);
  } finally {
    hotel.close();
  }
}

const html = (body: string): string =>
  `<!doctype html><html lang="en"><title>Booking</title><script type="module" src="/widgets.js"></script>${body}</html>`;
