/** Tries the custom properties on every picture of the page, and writes the CSS for a site that wants the same. */
import { html, render, type TemplateResult } from 'lit';
import { tokens } from '../src/styles/tokens.styles.ts';

/** What can be set: a color for each theme, or one text for both. */
interface Setting {
  readonly name: string;
  readonly values: readonly string[];
}

// The elements' own values, read from their style sheet so that the two cannot differ.
const COLORS: readonly Setting[] = [
  ...tokens.cssText.matchAll(/var\((--pay-[\w-]+), light-dark\((#\w+), (#\w+)\)\)/g),
].map(([, name = '', light = '', dark = '']) => ({ name, values: [sixDigits(light), sixDigits(dark)] }));
const TEXTS: readonly Setting[] = [
  ...[...tokens.cssText.matchAll(/var\((--pay-[\w-]+), ([\w.]+)\)/g)].map(([, name = '', value = '']) => ({
    name,
    values: [value],
  })),
  { name: '--pay-button-border-radius', values: [''] },
  { name: '--pay-font-family', values: [''] },
  { name: '--pay-box-shadow', values: [''] },
];
const LOOKS = ['light', 'dark'] as const;

/** Two colors that are read against each other, and the least contrast that WCAG asks for. */
const PAIRS: readonly (readonly [front: string, back: string, least: number])[] = [
  ['--pay-accessible-color-on-color-primary', '--pay-color-primary', 4.5],
  ['--pay-color-text', '--pay-color-background', 4.5],
  ['--pay-color-text-secondary', '--pay-color-background', 4.5],
  ['--pay-color-primary', '--pay-color-background', 3],
  ['--pay-color-warning', '--pay-color-background', 4.5],
];

const chosen = new Map<string, readonly string[]>();
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets.push(sheet);

/** Draws the editor, and draws it anew with every change. */
export function drawThemeEditor(place: HTMLElement): void {
  const change = ({ name, values }: Setting, index: number, value: string): void => {
    const next = (chosen.get(name) ?? values).with(index, value);
    if (next.join() === values.join()) chosen.delete(name);
    else chosen.set(name, next);
    sheet.replaceSync(css());
    drawThemeEditor(place);
  };
  const input = (setting: Setting, index: number): TemplateResult => {
    const isColor = setting.values.length > 1;
    const label = `${setting.name}${isColor ? `, ${LOOKS[index]}` : ''}`;
    return html`<input
      aria-label=${label}
      type=${isColor ? 'color' : 'text'}
      .value=${current(setting, index)}
      @change=${(event: Event) => change(setting, index, (event.target as HTMLInputElement).value)}
    />`;
  };
  const warnings = tooFaint();
  render(
    html`<h2>Theme</h2>
      <div class="editor">
        <table>
          <tr><th>Property</th><th>Light</th><th>Dark</th></tr>
          ${COLORS.map((color) => html`<tr><th scope="row">${color.name}</th><td>${input(color, 0)}</td><td>${input(color, 1)}</td></tr>`)}
          ${TEXTS.map((text) => html`<tr><th scope="row">${text.name}</th><td colspan="2">${input(text, 0)}</td></tr>`)}
        </table>
        <div>
          <pre id="theme-css">${css()}</pre>
          <p>
            <button type="button" @click=${() => navigator.clipboard.writeText(css())}>Copy the CSS</button>
            <button type="button" @click=${() => reset(place)}>Reset</button>
          </p>
          <ul role="status">${warnings.map((warning) => html`<li>${warning}</li>`)}</ul>
        </div>
      </div>`,
    place,
  );
}

function reset(place: HTMLElement): void {
  chosen.clear();
  sheet.replaceSync('');
  drawThemeEditor(place);
}

function current({ name, values }: Setting, index: number): string {
  return chosen.get(name)?.[index] ?? values[index] ?? '';
}

/** The rule for the site: only what differs from the elements' own look. */
function css(): string {
  const lines = [...chosen].flatMap(([name, [light = '', dark]]) => {
    if (dark === undefined) return /^[^;{}]+$/.test(light) ? [`  ${name}: ${light};`] : [];
    return [`  ${name}: ${light === dark ? light : `light-dark(${light}, ${dark})`};`];
  });
  if (lines.length === 0) return '/* Change a value: the rule for your site’s style sheet appears here. */';
  return ['pay-widget,', 'save-card-widget,', 'payment-status {', ...lines, '}'].join('\n');
}

function tooFaint(): string[] {
  const color = (name: string, index: number): string => {
    const setting = COLORS.find((each) => each.name === name);
    return setting ? current(setting, index) : '#000000';
  };
  return LOOKS.flatMap((look, index) =>
    PAIRS.flatMap(([front, back, least]) => {
      const ratio = contrast(color(front, index), color(back, index));
      if (ratio >= least) return [];
      return [`${look}: ${front} on ${back} has a contrast of ${ratio.toFixed(1)}, and needs ${least}.`];
    }),
  );
}

/** Contrast as WCAG 2 computes it. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** `#fff` → `#ffffff`, as color inputs want it. */
function sixDigits(color: string): string {
  return color.length > 4 ? color : color.replace(/\w/g, '$&$&');
}
