/** Registers an element once; a second copy of this package on the page is left out, and the developer is told. */
import { TWICE, tellDeveloper, watchPolicy } from '../misuse/misuse.ts';

// Before Lit is loaded: a policy that stops it leaves nobody to explain that.
watchPolicy();

export function defineElement(tag: string, element: CustomElementConstructor): void {
  const first = globalThis.customElements?.get(tag);
  if (!first) globalThis.customElements?.define(tag, element);
  // A script of ours that is loaded twice is one mistake, however many elements it has.
  else if (first !== element) tellDeveloper(first.prototype.hasReturned ? 'pay-widget' : tag, TWICE);
}
