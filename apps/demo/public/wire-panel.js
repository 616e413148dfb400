// The wire panel: opens and closes it, takes its views from the pages of the panel, and loads them again while a payment happens. Loaded
// without `defer`, so that the page knows whether the panel is open before it is painted, and nothing shifts.
const WIDE = matchMedia('(min-width: 1200px)');
const root = document.documentElement;

function stored(name) {
  try {
    return sessionStorage.getItem(`wire-panel:${name}`);
  } catch {
    return null;
  }
}

function store(name, value) {
  try {
    sessionStorage.setItem(`wire-panel:${name}`, value);
  } catch {
    // Without storage every page shows the panel as if it were the first.
  }
}

root.dataset.wirePanel = (stored('open') ?? (WIDE.matches ? 'yes' : 'no')) === 'yes' ? 'open' : 'closed';

addEventListener('DOMContentLoaded', () => {
  const panel = document.getElementById('wire-panel');
  const view = document.getElementById('wire-view');
  if (panel === null || view === null) return;
  const isPage = panel.classList.contains('wire-page');
  const opener = document.querySelector('.wire-open');
  let address = new URL(isPage ? location.href : (stored('view') ?? '/wire'), location.origin);
  if (!isPage) address.searchParams.set('from', location.pathname);
  let feed = null;
  let loads = 0;

  function isOpen() {
    return isPage || root.dataset.wirePanel === 'open';
  }

  // Filling the panel

  /** The part of a page of the panel that is shown, and its address after redirects. */
  async function fetchView(href, init) {
    try {
      const answer = await fetch(href, init);
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      return { page, content: page.getElementById('wire-view'), url: answer.redirected ? answer.url : href };
    } catch {
      const content = document.createElement('div');
      content.innerHTML = '<p class="wire-problem">The hotel’s server does not answer.</p>';
      return { page: content, content, url: href };
    }
  }

  /** Shows a view, unless another one is asked for meanwhile. */
  async function load(href, init) {
    const number = ++loads;
    const { page, content, url } = await fetchView(href, init);
    if (number !== loads) return;
    // A form that was refused is answered at its own address, with its view.
    if (init === undefined || url !== href) address = new URL(url, location.origin);
    if (isPage) history.replaceState(null, '', address);
    else store('view', address.href);
    for (const link of panel.querySelectorAll('.wire-nav a')) {
      const fresh = [...page.querySelectorAll('.wire-nav a')].find(
        ({ textContent }) => textContent === link.textContent,
      );
      for (const { name, value } of fresh?.attributes ?? []) link.setAttribute(name, value);
      if (fresh?.hasAttribute('aria-current') !== true) link.removeAttribute('aria-current');
    }
    view.replaceChildren(...content.childNodes);
    view.scrollTop = rows() === null ? 0 : view.scrollHeight;
  }

  // Requests as they happen

  function rows() {
    return view.querySelector('[data-rows]');
  }

  function connect() {
    disconnect();
    if (!isOpen() || document.hidden) return;
    feed = new EventSource('/wire/changes');
    let isLoading = false;
    let isStale = false;
    feed.addEventListener('message', async () => {
      isStale = true;
      if (isLoading) return;
      isLoading = true;
      while (isStale) {
        isStale = false;
        await refresh();
      }
      isLoading = false;
    });
  }

  function disconnect() {
    feed?.close();
    feed = null;
  }

  async function refresh() {
    if (view.childElementCount === 0) return load(address.href);
    if (rows() === null) return;
    const number = loads;
    const { content } = await fetchView(address.href);
    const fresh = content.querySelector('[data-rows]');
    if (fresh !== null && number === loads) showRows(rows(), fresh);
  }

  /** A row that has not changed stays the same element, so that it stays open and keeps the focus. */
  function showRows(list, fresh) {
    const isAtEnd = view.scrollHeight - view.scrollTop - view.clientHeight < 80;
    const known = new Map([...list.children].map((row) => [row.id, row]));
    let next = list.firstElementChild;
    for (const row of [...fresh.children]) {
      const old = known.get(row.id);
      known.delete(row.id);
      if (old === undefined) {
        row.classList.add('x-new');
        list.insertBefore(row, next);
        continue;
      }
      next = old.nextElementSibling;
      if (old.dataset.state !== row.dataset.state) replaceRow(old, row);
    }
    for (const gone of known.values()) gone.remove();
    if (isAtEnd) view.scrollTop = view.scrollHeight;
  }

  function replaceRow(old, row) {
    const hadFocus = old.contains(document.activeElement);
    row.querySelector('details').open = old.querySelector('details').open;
    old.replaceWith(row);
    if (hadFocus) row.querySelector('summary').focus({ preventScroll: true });
  }

  // What people do

  function setOpen(open) {
    root.dataset.wirePanel = open ? 'open' : 'closed';
    store('open', open ? 'yes' : 'no');
    opener.setAttribute('aria-expanded', String(open));
    connect();
    (open ? document.getElementById('wire-title') : opener).focus({ preventScroll: true });
  }

  panel.addEventListener('click', (event) => {
    const link = event.target.closest('.wire-nav a, .wire-choice a');
    if (link !== null && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      void load(link.href);
    }
    if (event.target.closest('.wire-close') !== null) setOpen(false);
  });

  panel.addEventListener(
    'toggle',
    async (event) => {
      const link = event.target.open ? event.target.querySelector(':scope > .x-detail > a') : null;
      if (link === null) return;
      const { content } = await fetchView(link.href);
      link.replaceWith(...content.childNodes);
    },
    true,
  );

  panel.addEventListener('submit', async (event) => {
    event.preventDefault();
    const { target: form, submitter } = event;
    await load(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form, submitter)) });
    // The view was replaced: the focus goes to the button that does what the pressed one did.
    const buttons = [...view.querySelectorAll('button')];
    (buttons.find(({ value }) => value === submitter.value) ?? view).focus({ preventScroll: true });
  });

  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !isPage) setOpen(false);
  });

  opener?.addEventListener('click', (event) => {
    event.preventDefault();
    setOpen(true);
  });
  opener?.setAttribute('aria-expanded', String(isOpen()));

  // A page that keeps a connection open cannot be brought back by the back button, and a hidden one needs none.
  document.addEventListener('visibilitychange', () => (document.hidden ? disconnect() : connect()));
  addEventListener('pagehide', disconnect);
  addEventListener('pageshow', (event) => event.persisted && connect());
  connect();
});
