// A clerk's day in every engine: each has each language, width and way to work at least once.
import { test } from 'vitest';
import { findFirefox, findWebKit } from '../../scripts/engines.ts';
import { type Day, spendDay } from './clerks-day.ts';

const DAYS: readonly Day[] = [
  { engine: 'Chromium', lang: 'de', width: 1280, hand: 'keyboard' },
  { engine: 'Chromium', lang: 'en', width: 360, hand: 'mouse' },
  { engine: 'Chromium', lang: 'ar', width: 360, hand: 'keyboard' },
  { engine: 'Firefox', lang: 'en', width: 1280, hand: 'keyboard' },
  { engine: 'Firefox', lang: 'de', width: 1280, hand: 'mouse' },
  { engine: 'Firefox', lang: 'ar', width: 360, hand: 'keyboard' },
  { engine: 'WebKit', lang: 'en', width: 360, hand: 'keyboard' },
  { engine: 'WebKit', lang: 'de', width: 360, hand: 'mouse' },
  { engine: 'WebKit', lang: 'ar', width: 1280, hand: 'mouse' },
];

/** A newcomer's machine may lack an engine, and a way for us to install it. In CI its absence is a failure. */
const isHere = ({ engine }: Day): boolean =>
  process.env.CI !== undefined ||
  engine === 'Chromium' ||
  (engine === 'Firefox' ? findFirefox() : findWebKit()) !== undefined;

for (const day of DAYS)
  test.runIf(isHere(day))(`${day.engine}, ${day.lang}, ${day.width} px, by ${day.hand}`, () => spendDay(day));
