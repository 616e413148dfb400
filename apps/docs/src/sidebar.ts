import type { Page } from './collect-pages.ts';
import { SECTIONS } from './page-table.ts';

/** One group of the side bar, as the generator takes it. */
export interface SidebarGroup {
  readonly label: string;
  readonly collapsed: boolean;
  readonly items: readonly { readonly label: string; readonly link: string }[];
}

/** The side bar: sections with at least one page. */
export function sidebar(pages: readonly Page[]): readonly SidebarGroup[] {
  return SECTIONS.map(({ label, collapsed = false }) => ({
    label,
    collapsed,
    items: pages
      .filter(({ section }) => section === label)
      .map((page) => ({ label: page.label, link: `/${page.path}` })),
  })).filter(({ items }) => items.length > 0);
}
