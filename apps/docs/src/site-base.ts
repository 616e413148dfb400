/** Path the site is served under: the demo hotel has the rest of the origin. */
export const SITE_BASE = '/docs/';
