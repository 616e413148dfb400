// Lets the keyboard reach what is too wide and scrolls: tables and code. Only while it scrolls, so that nobody tabs through
// frames that have nothing to scroll.
const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) if (target instanceof HTMLElement) update(target);
});

for (const frame of document.querySelectorAll<HTMLElement>('.table-frame, pre')) {
  update(frame);
  observer.observe(frame);
}

function update(frame: HTMLElement): void {
  if (frame.scrollWidth > frame.clientWidth) {
    frame.tabIndex = 0;
    frame.setAttribute('role', 'group');
    frame.setAttribute('aria-label', frame.matches('pre') ? 'Code, scrolls sideways' : 'Table, scrolls sideways');
    return;
  }
  for (const name of ['tabindex', 'role', 'aria-label']) frame.removeAttribute(name);
}
