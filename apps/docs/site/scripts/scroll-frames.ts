// Lets the keyboard reach what is too wide and scrolls: tables and code. Only while it scrolls, so that nobody tabs through
// frames that have nothing to scroll.
const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) if (target instanceof HTMLElement) update(target);
});

for (const frame of document.querySelectorAll<HTMLElement>('.table-frame, .diagram, pre')) {
  update(frame);
  observer.observe(frame);
}

function update(frame: HTMLElement): void {
  if (frame.scrollWidth > frame.clientWidth) {
    frame.tabIndex = 0;
    frame.setAttribute('role', 'group');
    frame.setAttribute('aria-label', `${nameOf(frame)}, scrolls sideways`);
    return;
  }
  for (const name of ['tabindex', 'role', 'aria-label']) frame.removeAttribute(name);
}

function nameOf(frame: HTMLElement): string {
  if (frame.matches('pre')) return 'Code';
  return frame.matches('.diagram') ? 'Diagram' : 'Table';
}
