import type { List, ListQuery } from '@innkeep/core/merchant';
import type { CommandContext } from '../context/command-context.ts';
import type { ExitCode } from '../failures/exit-code.ts';
import { given } from '../input/given.ts';
import { type Column, table } from '../terminal/table.ts';

/** Flags that say which page of a list, or all of them. */
interface PageFlags {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly all?: boolean | undefined;
}

/** Flags of every list of payments. */
export interface ListFlags<Status extends string> extends PageFlags {
  readonly status?: Status;
  readonly reference?: string;
  readonly completedFrom?: string;
  readonly completedTo?: string;
}

/** Answers with a page, or with `--all` with every page as one. */
export function answerList<Resource, Status extends string>(
  context: CommandContext,
  { status, reference, completedFrom, completedTo, ...place }: ListFlags<Status>,
  read: (query: ListQuery<Status>) => List<Resource>,
  columns: readonly Column<Resource>[],
): Promise<ExitCode> {
  const filter = given({ status, reference, completedFrom, completedTo });
  return answerPages(context, place, (page) => read({ ...filter, ...page } as ListQuery<Status>), columns);
}

/** The same for a list with filters of its own, which `read` adds. */
export async function answerPages<Resource>(
  context: CommandContext,
  { all = false, limit = all ? 100 : undefined, cursor }: PageFlags,
  read: (page: { limit?: number; cursor?: string }) => List<Resource>,
  columns: readonly Column<Resource>[],
): Promise<ExitCode> {
  const list = read(given({ limit, cursor }));
  let data: Resource[] = [];
  let nextCursor: string | null = null;
  if (all) for await (const resource of list) data.push(resource);
  else ({ data, nextCursor } = await list);
  const exitCode = await context.answer({ object: 'list', data, nextCursor }, table(data, columns));
  if (nextCursor !== null && !context.isJson) await context.note(`There is more: --cursor ${nextCursor}`);
  return exitCode;
}
