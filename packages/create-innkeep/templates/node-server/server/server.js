// The site's server: `node server/server.js <folder>` serves the folder's files, and answers what has to do with payments.
import { createServer } from 'node:http';
import sirv from 'sirv';
import { INNKEEP_ENDPOINT } from '../payments.js';
import { answerPayments } from './answer-payments.js';

const [, , folder = 'public'] = process.argv;
const port = Number(process.env.PORT ?? 3000);

// Only the site's own scripts run, and they talk to nobody but the site and the proxy.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  `connect-src 'self' ${INNKEEP_ENDPOINT}`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const setHeaders = (response) => response.setHeader('content-security-policy', POLICY);
// Every address of a booking is the same page.
const pages = sirv(folder, { dev: true, single: true, setHeaders });
const elements = sirv('node_modules/@innkeep/widgets/dist/cdn', { dev: true });

const server = createServer((request, response) => {
  answerPayments(request, response, () => {
    // Nothing here is large, and of a range that ends before it begins sirv throws: anybody could end the site.
    delete request.headers.range;
    const notFound = () => response.writeHead(404).end();
    if (!request.url.startsWith('/innkeep/')) return pages(request, response, notFound);
    request.url = request.url.slice('/innkeep'.length);
    elements(request, response, notFound);
  });
});
server.on('error', (error) => {
  console.error(error.code === 'EADDRINUSE' ? `Port ${port} is in use. Name another one in PORT.` : error.message);
  process.exitCode = 1;
});
const host = process.env.HOST || '127.0.0.1';
server.listen(port, host, () => console.log(`ready http://${host}:${port}`));
