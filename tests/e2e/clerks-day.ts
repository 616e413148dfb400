/** A day at the desk of a reception, from the first search to the export: by keyboard or by mouse, in any engine, language and width. */

import { messages as ar } from '@innkeep/desk/localization/ar';
import { messages as de } from '@innkeep/desk/localization/de';
import { messages as en } from '@innkeep/desk/localization/en';
import { expect } from 'vitest';
import { Clerk, type Hand } from '../support/clerk.ts';
import { startDeskOffice } from '../support/desk-office.ts';
import { type EngineName, openEngine } from '../support/engines.ts';

const TEXTS = { en, de, ar };

/** One way to spend the day. */
export interface Day {
  readonly engine: EngineName;
  readonly lang: keyof typeof TEXTS;
  readonly width: 360 | 1280;
  readonly hand: Hand;
  /** Not to be judged by axe. */
  readonly isQuick?: true;
}

/** A card whose charge is carried out, and whose answer is lost. */
const ANSWER_LOST_CARD = '4000000000011207';
const MASTERCARD = '5555555555554444';

/** Spends it, and fails where a clerk would be stuck. */
export async function spendDay({ engine, lang, width, hand, isQuick }: Day): Promise<void> {
  const office = await startDeskOffice();
  const page = await openEngine(engine);
  if (!page) throw new Error(`There is no ${engine}. Debian: apt-get install firefox-esr webkit2gtk-driver xvfb`);
  const texts = TEXTS[lang];
  const clerk = new Clerk(page, hand);
  const judge = async (name: string): Promise<void> => {
    await page.evaluate(
      '(globalThis.found = undefined, axe.run().then(({ violations }) => { globalThis.found = violations; }), 0)',
    );
    await page.waitFor('globalThis.found');
    const found = await page.evaluate(
      `found.map(({ id, nodes }) => id + ': ' + nodes.map(({ target, failureSummary }) => target.join(' ') + ' ' + failureSummary).join(', '))`,
    );
    expect([name, found]).toEqual([name, []]);
  };
  /** What stands at a moment: nothing too wide, nothing axe complains of. */
  const pause = async (name: string): Promise<void> => {
    expect([name, await page.evaluate('hands.overflow()')]).toEqual([name, 0]);
    if (isQuick !== true) await judge(name);
  };
  const money = async (value: number): Promise<string> =>
    String(
      await page.evaluate(`new Intl.NumberFormat('${lang}', { style: 'currency', currency: 'EUR' }).format(${value})`),
    )
      .replaceAll(/[\u200e\u200f\u061c]/g, '')
      .replaceAll(/\s/g, ' ');
  /** Searches as clerks do, and opens what was found first. */
  const open = async (words: string, reference: string): Promise<void> => {
    if (hand === 'keyboard') {
      await page.press('/');
      await page.type(words);
      await page.press('Enter');
      await page.waitFor(`hands.focused()?.textContent.includes('${reference}')`);
      await page.press('Enter');
    } else {
      await clerk.write(texts.search, words);
      await clerk.press(reference);
    }
    await clerk.sees(texts.timeline);
  };
  const backToList = async (): Promise<void> => {
    if (hand === 'keyboard') await page.press('Escape');
    else await clerk.press(texts.backToList);
    await clerk.sawLastOf(texts.timeline);
  };

  try {
    const stay = await office.takePayment('RES-1234', 33_000);
    await office.storeCard('RES-4000', MASTERCARD);
    const lost = await office.chargeCard('RES-5000', 6_600, ANSWER_LOST_CARD);
    expect(lost.status).toBe('unknown');
    await page.resize(width, 800);
    await page.goto(office.pageUrl({ lang, width }));
    // A reload would take it along.
    await page.evaluate(`(document.title = 'Since this morning')`);
    await clerk.sees('RES-1234');
    await pause('today');

    await open('res-12', 'RES-1234');
    await pause('payment');
    await clerk.press(texts.giveBack);
    await clerk.write(texts.amountIn.replace('{currency}', 'EUR'), '20,00');
    await clerk.choose(texts.reason, texts.reversalReasons.service);
    await clerk.write(texts.note, 'The sauna was closed');
    await pause('refund');
    await clerk.press(texts.goOn);
    const giveBack = texts.giveBackAmount.replace('{amount}', await money(20));
    await clerk.sees('RES-1234');
    await pause('confirm');
    await clerk.press(giveBack);
    await clerk.sees(texts.reversalOutcomes.succeeded);
    await clerk.press(texts.close);
    await clerk.sees(texts.statuses.partly_reversed);
    await clerk.sees(texts.by.replace('{name}', 'anna'));
    await clerk.sees(texts.reversalReasons.service);
    await clerk.sees('The sauna was closed');
    await pause('part refunded');
    const given = await office.merchant.payments.retrieve(stay);
    expect(given).toMatchObject({ status: 'partly_reversed', reversed: { value: 2_000, currency: 'EUR' } });
    expect(given.reversals).toMatchObject([{ reason: 'service', by: { person: 'anna', via: 'desk' } }]);

    await backToList();
    await clerk.press(texts.backToToday);
    await clerk.press(texts.askForMoney);
    await clerk.write(texts.amountIn.replace('{currency}', 'EUR'), '75,50');
    await clerk.write(texts.reference, 'RES-7000');
    await clerk.write(texts.whatFor, 'Dinner');
    await pause('ask for money');
    await clerk.press(texts.makeLink);
    await clerk.sees(texts.linkMade);
    const link = `hands.find(${JSON.stringify(texts.link)})?.value`;
    await page.waitFor(link);
    await pause('link');
    await office.pay(String(await page.evaluate(link)));
    await clerk.press(texts.close);
    await page.waitFor(
      `hands.find('RES-7000').textContent.includes(${JSON.stringify(texts.statuses.succeeded)}) && document.title === 'Since this morning'`,
    );

    await open('RES-4', 'RES-4000');
    await clerk.press(texts.chargeCard);
    await clerk.write(texts.amountIn.replace('{currency}', 'EUR'), '80');
    await clerk.choose(texts.reason, texts.chargeReasons.no_show);
    await pause('charge');
    await clerk.press(texts.goOn);
    await clerk.press(texts.chargeAmount.replace('{amount}', await money(80)));
    await clerk.sees(texts.chargeOutcomes.succeeded);
    await clerk.press(texts.close);
    await backToList();
    await clerk.press(texts.backToToday);

    await clerk.sees(texts.needsYou);
    await clerk.press('RES-5000');
    await clerk.sees(texts.timeline);
    await clerk.press(`${texts.settle} ${await money(66)}`);
    await clerk.choose(texts.whatHappened, texts.wentThrough);
    await clerk.write(texts.evidence, 'In the portal at 14:20: booked');
    await clerk.write(texts.transactionId, '4711');
    await pause('settle');
    await clerk.press(texts.goOn);
    await clerk.press(texts.settleIt);
    await clerk.sees(texts.settled);
    await clerk.press(texts.close);
    await clerk.sees(texts.foundPaid);
    await pause('settled');
    await backToList();
    await clerk.sawLastOf(texts.needsYou);

    await clerk.press(texts.exportCsv);
    await page.waitFor('globalThis.exported');
    const bytes = Uint8Array.from((await page.evaluate('exported')) as number[]);
    const table = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    // Excel knows UTF-8 by its mark, and in German numbers by their comma.
    const [separator, point] = lang === 'de' ? [';', ','] : [',', '.'];
    expect(table.slice(0, 25)).toBe(`\ufeff"local_time"${separator}"happened_at"`.slice(0, 25));
    const [head = [], ...rows] = table
      .slice(1)
      .trim()
      .split('\r\n')
      .map((row) => row.slice(1, -1).split(`"${separator}"`));
    const cells = (reference: string): (string | undefined)[] | undefined => {
      const cell = (row: readonly string[], name: string): string => row[head.indexOf(name)] ?? '';
      const row = rows.find((each) => cell(each, 'reference') === reference && cell(each, 'taken') !== '');
      return row && ['status', 'taken', 'reversed'].map((name) => cell(row, name).replace(point, '.'));
    };
    expect(['RES-1234', 'RES-7000', 'RES-4000', 'RES-5000'].map(cells)).toEqual([
      ['partly_reversed', '330.00', '20.00'],
      ['succeeded', '75.50', '0.00'],
      ['succeeded', '80.00', '0.00'],
      ['succeeded', '66.00', '0.00'],
    ]);
    await pause('evening');
    expect(await office.merchant.payments.retrieve(lost.id)).toMatchObject({ status: 'succeeded' });
    expect(await page.evaluate('blocked')).toEqual([]);
    expect(await page.problems()).toEqual([]);
  } catch (error) {
    throw new Error(
      `Stuck on ${await page.evaluate('hands.focused()?.outerHTML.slice(0, 200)')} at: ${await page.evaluate('hands.text()')}`,
      { cause: error },
    );
  } finally {
    await page.close();
    await office.close();
  }
}
