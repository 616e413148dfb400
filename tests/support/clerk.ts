/** A clerk at the desk: finds things by what they say, and works by keyboard alone or by mouse. */
import type { EnginePage } from './engines.ts';

/** What a clerk works with. A mouse writes nothing: its clerk types as well, once a field was clicked. */
export type Hand = 'keyboard' | 'mouse';

/** Where something is on the screen, and how far it is from what has the focus: in tabs forward, or below zero. */
interface Spot {
  readonly x: number;
  readonly y: number;
  readonly isFocused: boolean;
  readonly isAhead: boolean;
}

const MANY_TABS = 60;

export class Clerk {
  readonly page: EnginePage;
  readonly hand: Hand;

  constructor(page: EnginePage, hand: Hand) {
    this.page = page;
    this.hand = hand;
  }

  sees(text: string): Promise<void> {
    return this.page.waitFor(`hands.text().includes(${JSON.stringify(text)})`);
  }

  async sawLastOf(text: string): Promise<void> {
    await this.page.waitFor(`!hands.text().includes(${JSON.stringify(text)})`);
  }

  /** Waits for a button, a link or a field of this name, and presses it. */
  async press(name: string): Promise<void> {
    if (this.hand === 'mouse') return this.#click(name, 1);
    await this.reach(name);
    await this.page.press('Enter');
  }

  /** Writes into a field, in place of what is there. */
  async write(name: string, text: string): Promise<void> {
    if (this.hand === 'mouse') await this.#click(name, 3);
    else {
      await this.reach(name);
      await this.page.press('a', 'Control');
    }
    await this.page.type(text);
  }

  /** Chooses from a list. Its options are drawn by the system, where no mouse of a test reaches: they are chosen by keys in either case. */
  async choose(name: string, option: string): Promise<void> {
    if (this.hand === 'keyboard') await this.reach(name);
    else await this.page.evaluate(`hands.find(${JSON.stringify(name)}).focus()`);
    const of = `hands.find(${JSON.stringify(name)})`;
    const steps = Number(
      await this.page.evaluate(
        `[...${of}.options].findIndex((each) => each.text === ${JSON.stringify(option)}) - ${of}.selectedIndex`,
      ),
    );
    for (let step = 0; step < steps; step += 1) await this.page.press('ArrowDown');
    await this.page.waitFor(`${of}.selectedOptions[0].text === ${JSON.stringify(option)}`);
  }

  /** Goes to something by Tab, as somebody without a mouse does. */
  async reach(name: string): Promise<void> {
    for (let tab = 0; tab < MANY_TABS; tab += 1) {
      const { isFocused, isAhead } = await this.#lookUp(name);
      if (isFocused) return;
      await this.page.press('Tab', isAhead ? undefined : 'Shift');
    }
    throw new Error(`Tab does not reach “${name}”`);
  }

  async #click(name: string, times: number): Promise<void> {
    const { x, y } = await this.#lookUp(name);
    await this.page.click(x, y, times);
  }

  async #lookUp(name: string): Promise<Spot> {
    await this.page.waitFor(`hands.find(${JSON.stringify(name)})`);
    // What the page's script answers.
    return (await this.page.evaluate(`hands.lookUp(${JSON.stringify(name)})`)) as Spot;
  }
}

/** Runs in the page: looks through the shadow roots, as a person does. */
export function lookAround(): object {
  const everything = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((each) => [each, ...(each.shadowRoot ? everything(each.shadowRoot) : [])]);
  const isSeen = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true });
  const focused = (): Element | null => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at;
  };
  /** Without what only says in which direction it is written. */
  const plain = (text: string | null | undefined): string =>
    (text ?? '')
      .replaceAll(/[\u2066-\u2069\u200e\u200f\u061c]/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim();
  const names = (element: Element): string[] => {
    const labels = [...((element as HTMLInputElement).labels ?? [])];
    const words = labels.map((label) => plain(label.querySelector('.name')?.textContent ?? label.textContent));
    const isRead = (node: Node): boolean =>
      node instanceof Text || (node instanceof Element && !node.matches('[aria-hidden=true]'));
    const content = [...element.childNodes].filter(isRead).map((node) => node.textContent);
    return [element.getAttribute('aria-label') ?? '', plain(content.join('')), ...words];
  };
  const find = (name: string): HTMLElement | undefined =>
    everything(document).find(
      (each): each is HTMLElement =>
        each.matches('button, a, input, select, textarea') &&
        isSeen(each) &&
        names(each).some((own) => own === name || (each.matches('.line') && own.includes(name))),
    );
  const textIn = (root: ParentNode): string =>
    [...root.childNodes]
      .map((node) => {
        if (node instanceof Text) return node.data;
        if (!(node instanceof Element) || node.matches('style, script, option, .live') || !isSeen(node)) return '';
        return node.shadowRoot ? textIn(node.shadowRoot) : textIn(node);
      })
      .join(' ');
  return {
    find,
    text: () => plain(textIn(document.body)),
    focused,
    lookUp(name: string) {
      const element = find(name);
      if (!element) throw new Error(`There is no ${name}`);
      element.scrollIntoView({ block: 'center' });
      const { x, y, width, height } = element.getBoundingClientRect();
      const all = everything(document);
      const at = focused();
      return {
        x: x + width / 2,
        y: y + height / 2,
        isFocused: at === element,
        isAhead: !at || all.indexOf(element) > all.indexOf(at),
      };
    },
    /** By how many pixels something sticks out of the page's column. */
    overflow() {
      const column = document.querySelector('main')?.getBoundingClientRect() ?? new DOMRect();
      const boxes = everything(document.body)
        .filter(isSeen)
        .map((each) => each.getBoundingClientRect());
      return Math.max(
        ...boxes.map(({ left, right }) => Math.floor(Math.max(right - column.right, column.left - left))),
      );
    },
  };
}
