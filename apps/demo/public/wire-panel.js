// Opens and closes the wire panel beside a page of the hotel. Loaded without `defer`, so that the page knows whether the panel is open
// before it is painted, and nothing shifts.
const root = document.documentElement;

function storage() {
  try {
    return sessionStorage;
  } catch {
    // Every page shows the panel as if it were the first.
    return {};
  }
}

const isWide = matchMedia('(min-width: 1200px)').matches;
root.classList.toggle('wire-is-open', (storage()['wire-panel'] ?? (isWide ? 'open' : 'closed')) === 'open');

addEventListener('DOMContentLoaded', () => {
  const panel = document.querySelector('.wire-panel');
  const opener = document.querySelector('.wire-open');
  const close = document.querySelector('.wire-close');
  const frame = Object.assign(document.createElement('iframe'), { src: '/wire', title: 'Requests' });

  function show(isOpen) {
    root.classList.toggle('wire-is-open', isOpen);
    storage()['wire-panel'] = isOpen ? 'open' : 'closed';
    // A closed panel asks for nothing.
    if (isOpen) panel.append(frame);
    else frame.remove();
  }

  opener.addEventListener('click', (event) => {
    event.preventDefault();
    show(true);
    close.focus();
  });
  close.addEventListener('click', () => {
    show(false);
    opener.focus();
  });
  if (root.classList.contains('wire-is-open')) panel.append(frame);
});
