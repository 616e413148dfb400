/** `node tests/widgets/smoke/firefox.ts`: the journey in a real Firefox (Debian: firefox-esr; or the path given). */
import puppeteer from 'puppeteer-core';
import { payOnce } from './journey.ts';

const browser = await puppeteer.launch({
  browser: 'firefox',
  executablePath: process.argv[2] ?? '/usr/bin/firefox-esr',
  headless: true,
});
try {
  const page = await browser.newPage();
  await payOnce('Firefox', {
    goto: async (url) => void (await page.goto(url)),
    evaluate: (expression) => page.evaluate(expression),
  });
} finally {
  await browser.close();
}
