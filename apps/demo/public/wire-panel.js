// The wire panel: opens and closes it, fills it, and keeps it up to date while a payment happens. Loaded
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
  const from = panel.dataset.from ?? location.pathname;
  const address = new URLSearchParams(isPage ? location.search : '');
  const state = {
    view: address.get('view') ?? stored('view') ?? 'requests',
    scope: address.get('scope') ?? stored('scope') ?? 'this',
  };
  let feed = null;
  let seen = 0;
  let loads = 0;

  function query(more = {}) {
    return new URLSearchParams({ view: state.view, from, scope: state.scope, ...more });
  }

  function isOpen() {
    return isPage || root.dataset.wirePanel === 'open';
  }

  // Filling the panel

  async function load() {
    const load = ++loads;
    for (const link of panel.querySelectorAll('.wire-nav a')) {
      if (link.dataset.view === state.view) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    const text = await fetchText(`/wire/view?${query()}`);
    if (load === loads) fill(text);
  }

  async function fetchText(href, init) {
    try {
      return await (await fetch(href, init)).text();
    } catch {
      return '<p class="wire-problem">The hotel’s server does not answer.</p>';
    }
  }

  // The markup comes from the hotel’s own server, which has escaped everything that came over the wire.
  function fill(markup) {
    const scrolled = view.scrollTop;
    view.innerHTML = markup;
    view.scrollTop = scrolled;
    seen = Number(view.querySelector('[data-revision]')?.dataset.revision ?? 0);
    if (state.view === 'requests') view.scrollTop = view.scrollHeight;
    connect();
  }

  // Requests as they happen

  function connect() {
    disconnect();
    if (!isOpen() || document.hidden || state.view !== 'requests') return;
    feed = new EventSource(`/wire/exchanges?${query({ after: seen })}`);
    feed.addEventListener('rows', (event) => {
      seen = Number(event.lastEventId) || seen;
      show(JSON.parse(event.data));
    });
    feed.addEventListener('cleared', () => {
      seen = 0;
      view.querySelector('[data-rows]')?.replaceChildren();
    });
  }

  function disconnect() {
    feed?.close();
    feed = null;
  }

  function show(rows) {
    const list = view.querySelector('[data-rows]');
    if (list === null) return;
    const isAtEnd = view.scrollHeight - view.scrollTop - view.clientHeight < 80;
    for (const { id, seq, html } of rows) place(list, { id, seq, row: toElement(html) });
    if (isAtEnd) view.scrollTop = view.scrollHeight;
  }

  function place(list, { id, seq, row }) {
    const old = document.getElementById(`x-${id}`);
    if (old !== null) {
      update(old, row);
      return;
    }
    row.classList.add('x-new');
    const later = [...list.querySelectorAll('[data-id]')].find((other) => Number(other.dataset.seq) > seq);
    if (later === undefined) list.append(row);
    else later.before(row);
  }

  // The row stays the same element, so that it stays open and keeps the focus.
  function update(old, row) {
    for (const { name, value } of row.attributes) if (name !== 'class') old.setAttribute(name, value);
    const summary = old.querySelector('summary');
    summary.replaceChildren(...row.querySelector('summary').childNodes);
    const detail = old.querySelector('.x-detail');
    detail.dataset.loaded = '';
    if (old.querySelector('details').open) void loadDetail(detail);
  }

  function toElement(markup) {
    const template = document.createElement('template');
    template.innerHTML = markup.trim();
    return template.content.firstElementChild;
  }

  async function loadDetail(detail) {
    if (detail.dataset.loaded === 'yes') return;
    detail.dataset.loaded = 'yes';
    detail.innerHTML = await fetchText(`${detail.dataset.src}?part=detail`);
  }

  // What people do

  function setOpen(open) {
    root.dataset.wirePanel = open ? 'open' : 'closed';
    store('open', open ? 'yes' : 'no');
    opener?.setAttribute('aria-expanded', String(open));
    if (open) {
      void load();
      document.getElementById('wire-title')?.focus({ preventScroll: true });
    } else {
      disconnect();
      opener?.focus({ preventScroll: true });
    }
  }

  async function copy(button) {
    const text = document.getElementById(button.dataset.copyFrom)?.textContent ?? '';
    const label = button.firstChild;
    const before = label.textContent;
    try {
      await navigator.clipboard.writeText(text);
      label.textContent = 'Copied';
    } catch {
      label.textContent = 'Not allowed here';
    }
    setTimeout(() => {
      label.textContent = before;
    }, 1_500);
  }

  panel.addEventListener('click', (event) => {
    const link = event.target.closest('a[data-view]');
    if (link !== null && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      state.view = link.dataset.view;
      state.scope = link.dataset.scope ?? state.scope;
      store('view', state.view);
      store('scope', state.scope);
      view.scrollTop = 0;
      if (isPage) history.replaceState(null, '', `/wire?${query()}`);
      void load();
    }
    const button = event.target.closest('button[data-copy-from]');
    if (button !== null) void copy(button);
    if (event.target.closest('.wire-close') !== null) setOpen(false);
  });

  panel.addEventListener(
    'toggle',
    (event) => {
      const detail = event.target.open ? event.target.querySelector(':scope > .x-detail') : null;
      if (detail !== null) void loadDetail(detail);
    },
    true,
  );

  panel.addEventListener('submit', async (event) => {
    event.preventDefault();
    const form = event.target;
    const fields = new URLSearchParams(new FormData(form, event.submitter));
    const choice = event.submitter?.value;
    const markup = await fetchText(`${form.getAttribute('action')}?part=view`, { method: 'POST', body: fields });
    fill(markup);
    // The view was replaced: the focus goes to the button that does what the pressed one did. "Switch off" has gone, its switch is there.
    const buttons = [...view.querySelectorAll('button[name]')].filter(({ value }) => value === choice);
    (buttons.at(-1) ?? view).focus({ preventScroll: true });
  });

  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !isPage) setOpen(false);
  });

  opener?.addEventListener('click', (event) => {
    event.preventDefault();
    setOpen(root.dataset.wirePanel !== 'open');
  });
  opener?.setAttribute('aria-expanded', String(root.dataset.wirePanel === 'open'));

  // A page that keeps a connection open cannot be brought back by the back button, and a hidden one needs none.
  document.addEventListener('visibilitychange', () => (document.hidden ? disconnect() : connect()));
  addEventListener('pagehide', disconnect);
  addEventListener('pageshow', (event) => event.persisted && isOpen() && connect());

  if (isPage) {
    seen = Number(view.querySelector('[data-revision]')?.dataset.revision ?? 0);
    connect();
  } else if (isOpen()) void load();
});
