import type { Page } from './collect-pages.ts';
import { SECTIONS, type Section } from './page-table.ts';

/** One page in the side bar, as the generator takes it. */
export interface SidebarLink {
  readonly label: string;
  readonly link: string;
}

/** One group of the side bar, as the generator takes it. */
export interface SidebarGroup {
  readonly label: string;
  readonly collapsed: boolean;
  readonly items: readonly (SidebarLink | SidebarGroup)[];
}

/** The side bar: sections with at least one page, in them single pages before groups. */
export function sidebar(pages: readonly Page[], sections: readonly Section[] = SECTIONS): readonly SidebarGroup[] {
  return sections
    .map(({ label, collapsed = false, groups = {} }) => {
      const members = pages.filter(({ section }) => section === label);
      const groupOf = ({ path }: Page): string | undefined =>
        Object.keys(groups).find((folder) => path === folder || path.startsWith(`${folder}/`));
      const grouped = Object.entries(groups).map(([folder, name]) => ({
        label: name,
        collapsed: true,
        items: members
          .filter((page) => groupOf(page) === folder)
          .map((page) => ({ ...toLink(page), label: labelInGroup(page.label, name) })),
      }));
      const single = members.filter((page) => groupOf(page) === undefined).map(toLink);
      return { label, collapsed, items: [...single, ...grouped.filter(({ items }) => items.length > 0)] };
    })
    .filter(({ items }) => items.length > 0);
}

function toLink({ label, path }: Page): SidebarLink {
  return { label, link: `/${path}` };
}

/** Leaves out what the group says already: under “HTTP API”, “HTTP API: events” is “Events”. */
function labelInGroup(label: string, group: string): string {
  if (label === group) return 'Overview';
  if (label.startsWith(`${group}: `)) return capitalized(label.slice(group.length + 2));
  return label.startsWith(`${group}/`) ? label.slice(group.length + 1) : label;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
