import { type DefaultTreeAdapterTypes, defaultTreeAdapter as edit, html } from 'parse5';

/** An element of a page. */
export type Element = DefaultTreeAdapterTypes.Element;

type Parent = DefaultTreeAdapterTypes.ParentNode;

/** Every element below a node, in document order. A list of its own, so that the tree may be changed meanwhile. */
export function elementsOf(parent: Parent): readonly Element[] {
  const inside =
    isElement(parent) && parent.tagName === 'template' && 'content' in parent ? [parent.content as Parent] : [];
  return [
    ...inside.flatMap(elementsOf),
    ...parent.childNodes.filter(isElement).flatMap((child) => [child, ...elementsOf(child)]),
  ];
}

/** Whether a node is an element. */
export function isElement(node: DefaultTreeAdapterTypes.Node): node is Element {
  return 'tagName' in node;
}

/** Value of an attribute, if it is there. */
export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((each) => each.name === name)?.value;
}

/** Takes an attribute away. */
export function removeAttribute(element: Element, name: string): void {
  element.attrs = element.attrs.filter((each) => each.name !== name);
}

/** An element that is in no document yet. */
export function newElement(name: string, attributes: Readonly<Record<string, string>>): Element {
  const attrs = Object.entries(attributes).map(([key, value]) => ({ name: key, value }));
  return edit.createElement(name, html.NS.HTML, attrs);
}

/** Puts elements behind another, in order. */
export function insertAfter(element: Element, added: readonly Element[]): void {
  const { parentNode: parent } = element;
  if (parent === null) return;
  const next = parent.childNodes[parent.childNodes.indexOf(element) + 1];
  for (const each of added) {
    if (next === undefined) edit.appendChild(parent, each);
    else edit.insertBefore(parent, each, next);
  }
}

/** Puts a frame where an element is, and the element into it. */
export function wrap(element: Element, frame: Element): void {
  const { parentNode: parent } = element;
  if (parent === null) return;
  edit.insertBefore(parent, frame, element);
  edit.detachNode(element);
  edit.appendChild(frame, element);
}

/** All text in an element. */
export function textOf(node: DefaultTreeAdapterTypes.Node): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}
