import { getCollection } from 'astro:content';

/** One page as Markdown. */
export interface MarkdownPage {
  /** Address below the base, without slashes at its ends; `index` for the first. */
  readonly id: string;
  readonly body?: string;
  readonly data: { readonly title: string; readonly description?: string };
}

/** Every page but the one for addresses that do not exist. */
export async function allPages(): Promise<readonly MarkdownPage[]> {
  const pages: readonly MarkdownPage[] = await getCollection('docs');
  return pages.filter(({ id }) => id !== '404');
}

/** A page as a document of its own. */
export function markdownOf({ data, body = '' }: MarkdownPage): string {
  return `# ${data.title}\n\n${body.trim()}\n`;
}
