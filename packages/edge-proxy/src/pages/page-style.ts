/** The one style sheet of the proxy's pages. A file of its own, because the pages allow no inline style. */

/** Where the pages find it. */
export const STYLE_PATH = '/assets/pages.css';

/** The sheet. Light and dark, phone first. */
export const PAGE_STYLE: string = `:root{color-scheme:light dark;--ink:#1d2433;--soft:#5b6475;--line:#dfe3ea;--paper:#fff;--back:#f3f5f8;--accent:#14532d;--on-accent:#fff;--warn:#8a5a00;--warn-back:#fff4dc}
@media(prefers-color-scheme:dark){:root{--ink:#eef1f6;--soft:#a6afbf;--line:#343b48;--paper:#1b202a;--back:#12151b;--accent:#7ee2a8;--on-accent:#07210f;--warn:#ffd27a;--warn-back:#3a2c0c}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:start center;padding:1.25rem;background:var(--back);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;max-width:27rem;margin-top:min(8vh,4rem);background:var(--paper);border:1px solid var(--line);border-radius:1rem;padding:1.75rem}
.hotel{margin:0;color:var(--soft);font-size:.95rem}
h1{margin:.25rem 0 .75rem;font-size:1.5rem;line-height:1.25}
p{margin:0 0 1rem}
.mode{margin:-.5rem 0 1rem;padding:.35rem .75rem;border-radius:.5rem;background:var(--warn-back);color:var(--warn);font-size:.875rem}
dl{margin:0 0 1.25rem;border-top:1px solid var(--line)}
dl div{display:flex;justify-content:space-between;gap:1rem;padding:.6rem 0;border-bottom:1px solid var(--line)}
dt{color:var(--soft)}
dd{margin:0;text-align:right;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.sum dd{font-weight:650;font-size:1.15rem}
button{width:100%;min-height:3.25rem;border:0;border-radius:.75rem;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:650;cursor:pointer}
button:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
.note{color:var(--soft);font-size:.875rem}
figure{margin:1.5rem 0 0;text-align:center;color:var(--soft);font-size:.875rem}
figure img{display:block;width:11rem;height:11rem;margin:0 auto .5rem;background:#fff;border-radius:.5rem}
@media(max-width:40rem){figure{display:none}}
`;
