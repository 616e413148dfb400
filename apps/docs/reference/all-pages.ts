import { indexApi } from './api-index.ts';
import { apiModules } from './api-modules.ts';
import { apiPages } from './api-pages.ts';
import { commandLinePage } from './command-line-page.ts';
import { CONFIGURATION_FILES, configurationPage } from './configuration-page.ts';
import { elementPages } from './element-pages.ts';
import { errorsPage } from './errors-page.ts';
import { eventsPage } from './events-page.ts';
import { Gaps } from './gaps.ts';
import { httpPages } from './http-pages.ts';
import { overviewPage } from './overview-page.ts';
import type { ReferencePage } from './reference-page.ts';
import { sandboxPage } from './sandbox-page.ts';
import { readSources } from './source-model.ts';
import { statesPage } from './states-page.ts';
import { widgetImportsPage } from './widget-imports-page.ts';

export type { ReferencePage } from './reference-page.ts';

/** Files with short names for types that exported ones use; the reference shows what they stand for. */
const ALIAS_FILES: readonly string[] = [
  'packages/core/src/http/send.ts',
  'packages/core/src/polling/wait.ts',
  'packages/sandbox/src/domain/hosted-machine.ts',
  'packages/sandbox/src/domain/plan.ts',
  'packages/sandbox/src/wire/amount.ts',
];

/** Every page of the reference, in the order of the side bar. */
export async function referencePages(): Promise<readonly ReferencePage[]> {
  const modules = apiModules();
  const model = await readSources([...modules.map(({ file }) => file), ...CONFIGURATION_FILES, ...ALIAS_FILES]);
  const gaps = new Gaps();
  const index = indexApi(model, modules);
  const pages = [
    errorsPage(model, index, gaps),
    eventsPage(model, index, gaps),
    statesPage(),
    configurationPage(model, index, gaps),
    commandLinePage(gaps),
    sandboxPage(model, index, gaps),
    ...httpPages(model, index, gaps),
    ...elementPages(model, index, gaps),
    ...apiPages(index, gaps),
    widgetImportsPage(gaps),
  ];
  gaps.close();
  return [overviewPage(pages), ...pages];
}
