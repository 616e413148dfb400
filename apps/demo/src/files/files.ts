/**
 * Answers a GET or HEAD of a file of the site: its own files, the widgets, the documentation. A folder with a page
 * answers at the address with the slash and redirects there without it; what does not exist is a 404.
 */
export type Files = (request: Request) => Promise<Response>;
