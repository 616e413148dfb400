/** Where the pages find their one style sheet. A file of its own, because the pages allow no inline style. */
export const STYLE_PATH = '/pages.css';
