/** A table of payments for a spreadsheet. */
import type { DeskCall, DeskClient } from './desk-client.ts';

/** What is in the file, and for whom. */
export interface CsvFile {
  /** Without an ending. */
  readonly name: string;
  readonly query: DeskCall['query'];
  /** Of the page. */
  readonly locale: string;
}

/** Has the browser save it. @throws {@link DeskFault} */
export async function saveCsv(client: DeskClient, { name, query, locale }: CsvFile): Promise<void> {
  // Spreadsheets speak the language of the device, which the page may not.
  const written = (1.5).toLocaleString(locale) + (1.5).toLocaleString();
  // Excel takes a file for UTF-8 by its mark, which the proxy writes only between semicolons.
  const mark = written.includes(',') ? '' : '\ufeff';
  const separator = mark ? 'comma' : 'semicolon';
  const file = await client.file('payments.csv', { query: { ...query, separator } });
  const anchor = document.createElement('a');
  anchor.href = URL.createObjectURL(new Blob([mark, file], file));
  anchor.download = `${name}.csv`;
  anchor.click();
  URL.revokeObjectURL(anchor.href);
}
