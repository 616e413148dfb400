import type { ListQuery, Page } from '@innkeep/core/merchant';
import { EXIT, type ExitCode } from '../failures/exit-code.ts';
import { given } from '../input/given.ts';
import type { CommandContext } from '../operator/command-context.ts';
import { type Column, table } from '../terminal/table.ts';

/** Flags of every list. */
export interface ListFlags<Status extends string> {
  readonly status?: Status;
  readonly reference?: string;
  readonly completedFrom?: string;
  readonly completedTo?: string;
  readonly limit?: number;
  readonly cursor?: string;
  readonly all?: boolean;
}

/** Answers with a page, or with `--all` with every page as one. */
export async function answerList<Resource, Status extends string>(
  context: CommandContext,
  { all = false, status, reference, completedFrom, completedTo, limit, cursor }: ListFlags<Status>,
  read: (query: ListQuery<Status>) => Promise<Page<Resource>>,
  columns: readonly Column<Resource>[],
): Promise<ExitCode> {
  const filter = given({ status, reference, completedFrom, completedTo, limit: limit ?? (all ? 100 : undefined) });
  const page = await read({ ...filter, ...given({ cursor }) } as ListQuery<Status>);
  const data = [...page.data];
  let { nextCursor } = page;
  while (all && nextCursor !== null) {
    const next = await read({ ...filter, cursor: nextCursor } as ListQuery<Status>);
    data.push(...next.data);
    nextCursor = next.nextCursor;
  }
  await context.answer({ object: 'list', data, nextCursor }, table(data, columns));
  if (nextCursor !== null && !context.isJson) await context.note(`There is more: --cursor ${nextCursor}`);
  return EXIT.ok;
}
