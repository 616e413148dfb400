import type { APIRoute } from 'astro';
import { allPages } from '../all-pages.ts';

/** What there is, one line per page, each with the address of its Markdown. */
export const GET: APIRoute = async () => {
  const pages = await allPages();
  const lines = pages.map(({ id, data: { title, description } }) => {
    const link = `- [${title}](${import.meta.env.BASE_URL}${id}.md)`;
    return description === undefined ? link : `${link}: ${description}`;
  });
  const first = pages.find(({ id }) => id === 'index');
  return new Response(`# Innkeep\n\n> ${first?.data.description ?? ''}\n\n## Pages\n\n${lines.sort().join('\n')}\n`);
};
