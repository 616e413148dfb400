/** What a guest's browser opens by itself: a module of its own, which is loaded with the first page. */
import { pages } from '../sessions/page-routes.ts';
import type { Resources } from './app.ts';

/** Payment links, and the way back from the hosted page. */
export const PAGE_RESOURCES: Resources = [['/', pages]];
