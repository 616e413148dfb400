/** The look of the hosted pages: one calm column, light and dark by the device's preference, from 320 px up. */
export const STYLESHEET = `
:root {
  color-scheme: light dark;
  --page: #eef1f5; --card: #ffffff; --ink: #17202b; --soft: #55606e; --line: #d5dbe3; --field: #ffffff;
  --field-line: #76828f; --accent: #1c5bd0; --accent-deep: #17489f; --on-accent: #ffffff; --notice: #fff4d6;
  --notice-ink: #5c4100; --notice-line: #e6c769; --bad: #b3261e; --bad-soft: #fdeceb; --good: #1b6e45;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #10151c; --card: #1a212b; --ink: #eaeff5; --soft: #a9b5c3; --line: #323d4b; --field: #121820;
    --field-line: #76849a; --accent: #8ab4ff; --accent-deep: #b0ccff; --on-accent: #0b1a33; --notice: #3a2f10;
    --notice-ink: #ffe3a0; --notice-line: #6d5a22; --bad: #ffb4ab; --bad-soft: #3b1a18; --good: #8fd8b0;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
.notice {
  display: flex; flex-wrap: wrap; justify-content: center; gap: 0 .5rem; padding: .5rem 1rem;
  background: var(--notice); color: var(--notice-ink); border-bottom: 1px solid var(--notice-line);
  font-size: .875rem; text-align: center;
}
.notice p { margin: 0; }
.shell { width: 100%; max-width: 28.5rem; margin: 0 auto; padding: 1.25rem 1rem 2.5rem; }
header { display: flex; justify-content: space-between; align-items: center; gap: 1rem; margin: 0 .25rem .75rem; }
.brand { display: flex; align-items: center; gap: .5rem; margin: 0; color: var(--soft); font-size: .875rem; }
.brand svg { width: 1rem; height: 1rem; fill: none; stroke: currentColor; stroke-width: 1.75; }
a { color: var(--accent); text-underline-offset: .2em; }
a:hover { color: var(--accent-deep); }
header a { font-size: .875rem; padding: .25rem; }
.card {
  background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.5rem;
  box-shadow: 0 1px 2px rgb(16 24 40 / 6%), 0 12px 32px -16px rgb(16 24 40 / 18%);
}
h1 { margin: 0; font-size: 1.25rem; line-height: 1.3; letter-spacing: -.01em; }
.lead { margin: .35rem 0 0; color: var(--soft); }
.summary { margin: 1.125rem 0 1.5rem; padding: 0 0 1.25rem; border-bottom: 1px solid var(--line); }
.sum { margin: 0; font-size: 2.125rem; font-weight: 650; line-height: 1.15; letter-spacing: -.02em; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
dl { margin: .75rem 0 0; display: grid; grid-template-columns: minmax(5.5rem, auto) 1fr; gap: .25rem 1rem; font-size: .9375rem; }
dl.rows { grid-template-columns: 1fr auto; column-gap: 0; margin: 1.25rem 0; font-variant-numeric: tabular-nums; }
dl.rows dd { text-align: right; }
dl.rows .total { padding-top: .5rem; border-top: 1px solid var(--line); font-weight: 650; font-size: 1.0625rem; color: var(--ink); }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
.hint { margin: .75rem 0 0; color: var(--soft); font-size: .875rem; }
.field { margin: 0 0 1rem; min-width: 0; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0 .875rem; }
label { display: block; margin: 0 0 .3rem; font-size: .9375rem; font-weight: 550; }
label span { color: var(--soft); font-weight: 400; }
input {
  width: 100%; min-height: 3rem; padding: .5rem .8rem; border: 1px solid var(--field-line); border-radius: 9px;
  background: var(--field); color: var(--ink); font: inherit; font-size: 1.0625rem; font-variant-numeric: tabular-nums;
}
input[aria-invalid="true"] { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad); }
.error { margin: .3rem 0 0; color: var(--bad); font-size: .875rem; }
.errors { margin: 0 0 1.25rem; padding: .75rem 1rem; border-radius: 9px; background: var(--bad-soft); color: var(--bad); font-size: .9375rem; }
.errors p { margin: 0; font-weight: 600; }
.errors ul { margin: .25rem 0 0; padding-left: 1.25rem; }
.errors a { color: inherit; }
button, .button {
  display: block; width: 100%; min-height: 3rem; padding: .6rem 1rem; border: 1px solid transparent; border-radius: 9px;
  background: none; color: var(--accent); font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer;
}
button.primary, .button.primary { background: var(--accent); color: var(--on-accent); font-size: 1.0625rem; }
button.primary:hover, .button.primary:hover { background: var(--accent-deep); color: var(--on-accent); }
button.quiet { margin-top: .375rem; color: var(--soft); font-weight: 500; }
button.quiet:hover { color: var(--ink); text-decoration: underline; }
button.plain { border-color: var(--field-line); color: var(--ink); font-weight: 550; }
button.plain:hover { border-color: var(--ink); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.tools { margin-top: 1.25rem; padding: 1rem 1.25rem 1.25rem; border: 1px dashed var(--field-line); border-radius: 14px; }
.tools h2 { margin: 0 0 .75rem; font-size: .9375rem; color: var(--soft); font-weight: 600; }
summary { padding: .625rem .25rem; min-height: 2.75rem; cursor: pointer; font-weight: 550; border-radius: 6px; }
details[open] summary { margin-bottom: .25rem; }
.cards { list-style: none; margin: .75rem 0 0; padding: 0; }
.cards li { display: grid; grid-template-columns: 1fr auto; align-items: center; gap: .125rem .75rem; padding: .625rem 0; border-top: 1px solid var(--line); font-size: .875rem; color: var(--soft); }
.cards code { color: var(--ink); font: 500 .9375rem/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: nowrap; }
.cards p { margin: 0; }
.cards button { width: auto; min-height: 2.5rem; padding: .25rem .75rem; }
.scripted { display: none; }
.has-script .scripted { display: block; }
.state { width: 3rem; height: 3rem; margin: 0 0 1rem; fill: none; stroke: currentColor; stroke-width: 2; }
.state.good { color: var(--good); }
.state.bad { color: var(--bad); }
.actions { margin-top: 1.5rem; }
@media (max-width: 22.5rem) {
  .card { padding: 1.125rem; }
  .tools { padding: .875rem 1rem 1rem; }
  .sum { font-size: 1.75rem; }
  dl { grid-template-columns: minmax(4.25rem, auto) 1fr; column-gap: .75rem; }
  .pair { column-gap: .625rem; }
  .pair label { font-size: .875rem; white-space: nowrap; letter-spacing: -.01em; }
}
`;

/**
 * A convenience and nothing more: fills in a test card. Every form works without it, and so the page says when it runs.
 */
export const SCRIPT = `
document.documentElement.classList.add('has-script');
document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-card]');
  if (button === null) return;
  const values = { cardNumber: button.dataset.card, expiry: '12/34', cvc: '123' };
  for (const [id, value] of Object.entries(values)) document.getElementById(id).value = value;
  const name = document.getElementById('cardholder');
  if (name.value === '') name.value = 'Test Guest';
  document.querySelector('button.primary').focus();
});
`;
