/** The first and the last day of a list, to be picked or typed. */
import { html, type TemplateResult } from 'lit';
import { isDay } from '../values/days.ts';
import type { Format } from './format.ts';

/** Days of the hotel, both included. */
export interface DayRange {
  readonly from: string;
  readonly until: string;
}

/** Fields in which a date is being typed. */
const typed = new WeakSet<EventTarget>();

/** The two fields. A browser tells of every key that leaves a date, though it may be the year 2 on the way to 2026: it counts at the end. */
export function rangeView(
  range: DayRange,
  { texts }: Pick<Format, 'texts'>,
  show: (range: DayRange) => void,
): TemplateResult {
  const field = (name: keyof DayRange, label: string): TemplateResult => {
    const apply = (input: HTMLInputElement): void => {
      typed.delete(input);
      const { value } = input;
      if (!isDay(value)) input.value = range[name];
      if (value === range[name] || !isDay(value)) return;
      const isCrossed = name === 'from' ? value > range.until : value < range.from;
      show(isCrossed ? { from: value, until: value } : { ...range, [name]: value });
    };
    const onKey = (event: KeyboardEvent): void => {
      const input = event.currentTarget as HTMLInputElement;
      typed[isTyping(event) ? 'add' : 'delete'](input);
      if (event.key !== 'Enter') return;
      event.preventDefault();
      apply(input);
    };
    const onChange = ({ currentTarget }: Event): void => {
      if (currentTarget && !typed.has(currentTarget)) apply(currentTarget as HTMLInputElement);
    };
    const onBlur = ({ currentTarget }: Event): void => apply(currentTarget as HTMLInputElement);
    return html`<label><span class="name">${label}</span><input type="date" .value=${range[name]}
      @keydown=${onKey} @change=${onChange} @blur=${onBlur} /></label>`;
  };
  return html`<span class="range">${field('from', texts.fromDay)} ${field('until', texts.untilDay)}</span>`;
}

/** Whether a key changes a part of the date. The others open the calendar, where each choice is a whole one. */
function isTyping({ key, altKey }: KeyboardEvent): boolean {
  return /^(\S|Backspace|Delete|Arrow(Up|Down))$/u.test(key) && !altKey;
}
