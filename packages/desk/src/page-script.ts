/** Entry of the script of the proxy's own page, `/desk/{property}`. */
import './define-all.ts';
import { codeIn, openDeskPage, takeCode } from './page/desk-page.ts';

// A link that is opened in the tab of a page changes nothing but the fragment.
addEventListener('hashchange', () => codeIn(location.hash) !== null && location.reload());
void openDeskPage({
  address: location.origin + location.pathname,
  code: takeCode(location),
  languages: navigator.languages,
  hasCookies: navigator.cookieEnabled,
});
