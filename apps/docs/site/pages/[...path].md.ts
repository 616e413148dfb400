import type { APIRoute, GetStaticPaths } from 'astro';
import { allPages, markdownOf } from '../all-pages.ts';

/** Every page as Markdown, at its own address with `.md` in place of the last slash. */
export const getStaticPaths: GetStaticPaths = async () =>
  (await allPages()).map((page) => ({ params: { path: page.id }, props: { text: markdownOf(page) } }));

/** The page's text. */
export const GET: APIRoute = ({ props }) => new Response(String(props.text));
