/** Registers an element once; a second copy of this package on the page is left out. Nothing happens on a server. */
export function defineElement(tag: string, element: CustomElementConstructor): void {
  const first = globalThis.customElements?.get(tag);
  if (!first) globalThis.customElements?.define(tag, element);
  else if (first !== element)
    console.error(`<${tag}> is defined twice; the first definition stays. Load the script once.`);
}
