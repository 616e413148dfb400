// The elements in the layouts of other people's pages: how wide they are, and which text styles reach them. In the outer ring, in all
// three engines.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../../scripts/launch.ts';
import { ENGINES, type EngineName, type EnginePage, openEngine } from '../support/engines.ts';
import { type FakeHotel, startFakeHotel } from '../support/fake-hotel.ts';

const WORDS = 'Breakfast is served from seven to eleven in the garden room, and on Sundays until noon. ';

/** How wide the element is in a column, in pixels: `W` stands for it, in a rem of 16 px. `elsewhere`: in engines but Chromium. */
const LAYOUTS: Readonly<Record<string, { html: string; width: number; elsewhere?: number; column?: number }>> = {
  'a block': { html: 'W', width: 600 },
  'a table cell': { html: '<table><td>W</td></table>', width: 320 },
  'a float': { html: '<div style="float: left">W</div>', width: 320 },
  'an inline block': { html: '<div style="display: inline-block">W</div>', width: 320 },
  'an absolute box': { html: '<div style="position: absolute">W</div>', width: 320 },
  'fit-content': { html: '<div style="width: fit-content">W</div>', width: 320 },
  'max-content': { html: '<div style="width: max-content">W</div>', width: 320 },
  'min-content': { html: '<div style="width: min-content">W</div>', width: 160 },
  'an inline flex box': { html: '<div style="display: inline-flex">W</div>', width: 320 },
  'an inline grid': { html: '<div style="display: inline-grid">W</div>', width: 320 },
  'a float in a side bar': { html: '<div style="float: left">W</div>', width: 280, column: 280 },
  'an inline block in a side bar': { html: '<div style="display: inline-block">W</div>', width: 280, column: 280 },
  'a table cell in a side bar': {
    html: '<table cellpadding="0" cellspacing="0"><td>W</td></table>',
    width: 280,
    column: 280,
  },
  'a flex row': { html: '<div style="display: flex">W</div>', width: 600 },
  'a flex row with a picture': {
    html: '<div style="display: flex">W<i style="flex: none; width: 100px"></i></div>',
    width: 500,
  },
  'a flex row beside a page of text': {
    html: `<div style="display: flex; align-items: flex-start">W<p>${'a room with a view '.repeat(200)}</p></div>`,
    width: 256,
  },
  'a flex column that does not stretch': {
    html: '<div style="display: flex; flex-direction: column; align-items: flex-start">W</div>',
    width: 600,
  },
  'a narrow grid': {
    html: '<div style="display: grid; grid-template-columns: 1fr 1fr">W<i></i></div>',
    width: 140,
    // By their names for `stretch`, the smallest width of a column is that of what is in it.
    elsewhere: 160,
    column: 280,
  },
  'a float of its own': { html: 'W style="float: left; width: auto"', width: 320 },
  'an inline block of its own': { html: 'W style="display: inline-block; width: auto"', width: 320 },
  'an absolute box of its own': { html: 'W style="position: absolute; width: auto"', width: 320 },
  'a margin of its own': { html: 'W style="margin: 16px"', width: 256, column: 288 },
  'a margin of its own in a grid': { html: '<div style="display: grid">W style="margin: 16px"</div>', width: 568 },
  'a margin of its own in a float': { html: '<div style="float: left">W style="margin: 16px"</div>', width: 320 },
  'padding and a border of its own': { html: 'W style="padding: 16px; border: 2px solid"', width: 280, column: 280 },
  'fit-content of its own': { html: 'W style="width: fit-content"', width: 320 },
};

/** Of a page that shouts; of these only the font is for the element. */
const SHOUTING =
  'white-space: nowrap; text-shadow: 1px 1px red; letter-spacing: 1em; text-transform: uppercase; line-height: 4; word-spacing: 2em; text-indent: 3em; word-break: break-all; text-align: right; font: italic 900 30px/4 monospace';
const TEXT_STYLES = [
  ...['whiteSpace', 'textShadow', 'letterSpacing', 'textTransform', 'lineHeight', 'wordSpacing', 'textIndent'],
  ...['wordBreak', 'textAlign', 'fontStyle', 'fontWeight', 'fontSize'],
];

let hotel: FakeHotel;
/** One page has them all: the browser is what costs. */
beforeAll(async () => {
  hotel = await startFakeHotel({
    '/widgets.js': () => ({
      body: readFileSync(join(ROOT, 'packages/widgets/dist/cdn/widgets.js')),
      type: 'text/javascript',
    }),
    '/': () => ({
      body: `<!doctype html><html lang="en"><title>Layouts</title><script type="module" src="/widgets.js"></script>
        <style>section { display: flow-root; position: relative; margin-bottom: 1rem }</style>
        ${Object.values(LAYOUTS).map(column).join('')}
        <section id="wordy" style="width: 600px"><table><td>${widget()}</td><td>${WORDS.repeat(9)}</td></table></section>
        <section id="plain" style="width: 320px">${widget()}</section>
        <section id="shouting" style="width: 320px; ${SHOUTING}">${widget()}</section></html>`,
    }),
  });
});
afterAll(() => hotel?.close());

function widget(attributes = ''): string {
  const { clientSecret } = hotel.openSession();
  return `<pay-widget endpoint="${hotel.proxyUrl}" client-secret="${clientSecret}"${attributes}></pay-widget>`;
}

function column({ html, column: width = 600 }: { html: string; column?: number }): string {
  const placed = html.replace(/W( style="[^"]*")?/, (_, style) => widget(style));
  return `<section class="layout" style="width: ${width}px">${placed}</section>`;
}

const engines: readonly EngineName[] = process.env.LAYOUT_ENGINES === 'all' ? ENGINES : ['Chromium'];

describe.each(engines)('%s', (name) => {
  let page: EnginePage | undefined;
  beforeAll(async () => {
    page = await openEngine(name);
    await page?.goto(hotel.siteUrl);
    await page?.waitFor(`document.querySelectorAll('pay-widget').length === ${Object.keys(LAYOUTS).length + 3}
      && [...document.querySelectorAll('pay-widget')].every((each) => each.shadowRoot?.querySelector('[part~=amount]'))`);
  });
  afterAll(() => page?.close());

  test('the elements have a width everywhere, and no column gets a scroll bar from it', async ({ skip }) => {
    if (!page) return skip();
    const widths = await page.evaluate(`[...document.querySelectorAll('.layout')].map((section) => {
      const { width, height } = section.querySelector('pay-widget').getBoundingClientRect();
      return [Math.round(width), section.scrollWidth > section.clientWidth ? 'overflows' : 'fits', width < 200 || height < 450 ? 'readable' : height];
    })`);
    expect(Object.keys(LAYOUTS).map((layout, nth) => [layout, ...((widths as unknown[][])[nth] ?? [])])).toEqual(
      Object.entries(LAYOUTS).map(([layout, { width, elsewhere = width }]) => [
        layout,
        name === 'Chromium' ? width : elsewhere,
        ...['fits', 'readable'],
      ]),
    );
    expect(await page.evaluate(`document.querySelector('#wordy pay-widget').offsetWidth`)).toBeGreaterThan(159);
  });

  test('of the text styles of the page only the font is theirs', async ({ skip }) => {
    if (!page) return skip();
    const stylesIn = (
      section: string,
    ): string => `[...document.querySelector('${section} pay-widget').shadowRoot.querySelectorAll('.base, .base *')]
      .map((each) => [each.className, ...${JSON.stringify(TEXT_STYLES)}.map((name) => getComputedStyle(each)[name])].join(' '))`;
    expect(await page.evaluate(stylesIn('#shouting'))).toEqual(await page.evaluate(stylesIn('#plain')));
    const font = await page.evaluate(
      `getComputedStyle(document.querySelector('#shouting pay-widget').shadowRoot.querySelector('[part~=amount]')).fontFamily`,
    );
    expect(font).toBe('monospace');
  });
});
