// Makes the pictures of docs/guides/reception.md from the desk itself: node tests/e2e/desk-pictures.ts
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright';
import { ROOT } from '../../scripts/launch.ts';
import { startDeskOffice } from '../support/desk-office.ts';
import { launchBrowser } from '../support/guest.ts';

/** A card whose charge is carried out, and whose answer is lost. */
const ANSWER_LOST_CARD = '4000000000011207';
const WIDTH = 960;
/** Around what is shown. */
const EDGE = 8;

const office = await startDeskOffice();
const browser = await launchBrowser();
try {
  await office.takePayment('RES-1180', 24_800, 'Garden Room, 2 nights');
  await office.storeCard('RES-1302', '5555555555554444');
  await office.takePayment('RES-1234', 33_000, 'Lake Room, 2 nights');
  await office.ask('RES-1277', 9_900, 'Deposit');
  await office.chargeCard('RES-1099', 6_600, ANSWER_LOST_CARD);

  const context = await browser.newContext({ viewport: { width: WIDTH, height: 900 } });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await page.goto(office.pageUrl({ lang: 'en', width: WIDTH }));
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('body { padding: 8px; font-family: "DejaVu Sans", sans-serif }');
    document.adoptedStyleSheets.push(sheet);
  });
  const take = async (name: string, what: Locator): Promise<void> => {
    await page.mouse.move(0, 0);
    const box = await what.boundingBox();
    if (!box) throw new Error(`Nothing to be seen of ${name}`);
    const clip = {
      x: box.x - EDGE,
      y: box.y - EDGE,
      width: box.width + 2 * EDGE,
      height: box.height + 2 * EDGE,
      scale: 1.5,
    };
    const options = { format: 'webp', quality: 75, captureBeyondViewport: true, clip } as const;
    const { data } = await devtools.send('Page.captureScreenshot', options);
    await writeFile(join(ROOT, `docs/images/desk-${name}.webp`), data, 'base64');
    console.log(`${name}: ${Math.round(clip.width)} × ${Math.round(clip.height)} pixels`);
  };
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const form = page.locator('.action');
  const side = page.locator('aside');
  const open = async (reference: string): Promise<void> => {
    await page.getByRole('button', { name: reference }).first().click();
    await page.getByRole('heading', { name: reference }).waitFor();
  };

  await page.getByText('RES-1234').waitFor();
  await take('today', page.locator('payments-desk'));

  await open('RES-1234');
  await button('Refund').click();
  await page.getByLabel('Amount in EUR').fill('20.00');
  await page.getByLabel('Reason').selectOption({ label: 'Service issue' });
  await page.getByLabel('Note').fill('The sauna was closed');
  await take('give-back', form);
  await button('Continue').click();
  await take('confirm', form);
  await button('Refund €20.00').click();
  await page.getByText('Refunded.', { exact: true }).waitFor();
  await button('Close').click();
  await side.getByText('by anna').waitFor();
  await take('payment', side);

  await button('Request payment').click();
  await page.getByLabel('Amount in EUR').fill('75.50');
  await page.getByLabel('Reference').fill('RES-1180');
  await page.getByLabel('Description').fill('Dinner');
  await button('Create link').click();
  await button('QR code').click();
  await page.locator('.qr').evaluate((image) => (image as HTMLImageElement).decode());
  await take('link', form);
  await button('Close').click();

  await open('RES-1099');
  await page.getByRole('button', { name: /^Resolve/ }).click();
  await take('settle', form);
} finally {
  await browser.close();
  await office.close();
}
