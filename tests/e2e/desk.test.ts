// A clerk's day at the desk, in front of the real proxy and the sandbox. One way to spend it; the outer ring has the others, and axe.
import { test } from 'vitest';
import { spendDay } from './clerks-day.ts';

test(
  'a clerk spends the day at the desk by keyboard',
  () => spendDay({ engine: 'Chromium', lang: 'de', width: 1280, hand: 'keyboard', isQuick: true }),
  120_000,
);
