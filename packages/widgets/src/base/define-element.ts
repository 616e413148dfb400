/** Registers an element once; a second copy of this package on the page is left out and says so once. */
let hasWarned = false;

export function defineElement(tag: string, element: CustomElementConstructor): void {
  if (typeof customElements === 'undefined') return;
  const first = customElements.get(tag);
  if (!first) {
    customElements.define(tag, element);
  } else if (first !== element && !hasWarned) {
    hasWarned = true;
    console.warn(`<${tag}> is defined twice; the first definition stays.`);
  }
}
