// Shows requests as they happen. A row that is there already stays the same element, so that it stays open.
const INTERVAL_MS = 1000;

async function refresh() {
  if (document.hidden) return;
  const answer = await fetch(location.search === '' ? '/wire' : `/wire${location.search}`);
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const [list, fresh] = [document.querySelector('ol'), page.querySelector('ol')];
  const known = new Set([...list.children].map(({ id }) => id));
  const wanted = new Set([...fresh.children].map(({ id }) => id));
  for (const row of [...list.children]) if (!wanted.has(row.id)) row.remove();
  let next = list.firstElementChild;
  for (const row of [...fresh.children]) {
    if (known.has(row.id)) next = document.getElementById(row.id).nextElementSibling;
    else list.insertBefore(row, next);
  }
  // A fault that was used up is off; one that still lasts keeps the focus on its button.
  const [faults, left] = [document, page].map((each) => each.querySelector('ul'));
  if (faults.innerHTML !== left.innerHTML) faults.replaceWith(left);
}

// A server that is stopped is asked again.
setInterval(() => refresh().catch(() => {}), INTERVAL_MS);
