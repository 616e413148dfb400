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
import type { ReferencePage } from './reference-page.ts';
import { readSources } from './source-model.ts';
import { statesPage } from './states-page.ts';

export type { ReferencePage } from './reference-page.ts';

/** Every page of the reference, in the order of the side bar. */
export async function referencePages(): Promise<readonly ReferencePage[]> {
  const modules = apiModules();
  const model = await readSources([...modules.map(({ file }) => file), ...CONFIGURATION_FILES]);
  const gaps = new Gaps();
  const index = indexApi(model, modules);
  return [
    errorsPage(model, index, gaps),
    eventsPage(model, index, gaps),
    statesPage(),
    configurationPage(model, index, gaps),
    commandLinePage(gaps),
    ...httpPages(model, index, gaps),
    ...elementPages(model, index, gaps),
    ...apiPages(index, gaps),
  ];
}
