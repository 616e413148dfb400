import { expect, it } from 'vitest';
import { isWebPage } from './web-page.ts';

it.each([
  '<html lang="en">',
  '\n<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">',
  '<!-- --><html></html>',
  '<?xml version="1.0"?>\r\n<html xmlns="http://www.w3.org/1999/xhtml"/>',
  '<?xml version="1.0"?><!-- a > b --> <!----><!doctype html>',
])('takes %j for a web page', (text) => {
  expect(isWebPage(text)).toBe(true);
});

it.each([
  '',
  'OK',
  '<SIHOT-Document><html/></SIHOT-Document>',
  '<!-- <html> --><SIHOT-Document/>',
  '<?xml version="1.0"?><Htmls/>',
  `${'<!--><!-- -->'.repeat(5_000)}<x/>`,
])('takes %.60j for none', (text) => {
  expect(isWebPage(text)).toBe(false);
});
