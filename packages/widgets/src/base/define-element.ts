/** Registers an element once; a second copy of this package on the page is left out, and the developer is told. */
import { TWICE, tellDeveloper, watchPolicy } from '../misuse/misuse.ts';

// Before Lit is loaded: a policy that stops it leaves nobody to explain that.
watchPolicy();

export function defineElement(tag: string, element: CustomElementConstructor): void {
  if (typeof customElements === 'undefined') return;
  const first = customElements.get(tag);
  if (!first) customElements.define(tag, element);
  else if (first !== element) tellDeveloper('pay-widget', TWICE);
}
