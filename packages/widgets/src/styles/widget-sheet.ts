/** The one style sheet that every element on the page adopts. A strict policy allows no style in the markup. */
import { tokens } from './tokens.styles.ts';
import { widgetStyles } from './widget.styles.ts';

let sheet: CSSStyleSheet | undefined;

/** Made when the first element is: a server has no style sheets. */
export function widgetSheet(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(tokens + widgetStyles);
  }
  return sheet;
}
