import { html } from 'hono/html';
import { type Employee, STAFF } from '../booking/staff.ts';
import { layout, type Markup } from './layout.ts';

/** Where staff say who they are. */
export function signInPage(): Markup {
  return layout({
    title: 'Sign in',
    isDesk: true,
    body: html`<main class="narrow">
      <h1>Reception desk</h1>
      <p class="lead">Who are you? This demo takes your word for it; a real hotel asks for a password.</p>
      <form class="stack" method="post" action="/desk/sign-in">${STAFF.map(employeeButton)}</form>
    </main>`,
  });
}

function employeeButton({ id, name, duty }: Employee): Markup {
  return html`<div>
    <button class="secondary" type="submit" name="employee" value="${id}">${name}</button>
    <p class="small">${duty}</p>
  </div>`;
}
