import type { APIRoute } from 'astro';
import { allPages, markdownOf } from '../all-pages.ts';

/** Every page, one after the other. */
export const GET: APIRoute = async () => new Response((await allPages()).map(markdownOf).join('\n'));
