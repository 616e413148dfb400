/** Draws a form through its steps: fill in, confirm, sending, and what came of it. */
import { html, nothing, type TemplateResult } from 'lit';
import type { ActionController } from '../controllers/action-controller.ts';
import type { Draft } from '../controllers/draft.ts';
import type { ActionForm } from './action-forms.ts';
import { faultText } from './fault-text.ts';
import type { Field } from './form-fields.ts';
import { type Format, fill } from './format.ts';
import { authorText } from './timeline-view.ts';

/** The open form. */
export function actionView(
  form: ActionForm,
  actions: ActionController,
  format: Format,
  after: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  const { texts } = format;
  const draft = actions.draftOf(form);
  const close = html`<button type="button" class="plain" @click=${() => actions.close()}>${texts.close}</button>`;
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    if (draft.step !== 'sending') actions.back(form);
  };
  const body = (): TemplateResult => {
    if (draft.step === 'edit') return editView(form, draft, actions, format);
    const { sentence, button } = form.confirm(draft.values);
    if (draft.step === 'sending') return html`<p class="message" tabindex="-1" role="status">${texts.sending}</p>`;
    if (draft.step === 'confirm') {
      return html`<p class="message" tabindex="-1">${sentence}</p>
        <div class="buttons">
          <button type="button" class="primary" @click=${() => actions.confirm(form)}>${button}</button>
          <button type="button" class="plain" @click=${() => actions.back(form)}>${texts.back}</button>
        </div>`;
    }
    if (draft.step === 'lost') {
      return html`<p class="message warn" tabindex="-1" role="alert">${draft.fault?.code === 'idempotency_in_progress' ? texts.stillRunning : texts.lost}</p>
        ${draft.fault && !draft.fault.isOutcomeOpen ? html`<p>${faultText(draft.fault, format).title}</p>` : nothing}
        <div class="buttons">
          <button type="button" class="primary" @click=${() => actions.askAgain(form)}>${texts.askAgain}</button>${close}
        </div>`;
    }
    if (draft.step === 'duplicate') {
      return html`<p class="message warn" tabindex="-1" role="alert">${texts.equalOne}</p>
        <dl><dt>${texts.thereAlready}</dt><dd>${equalText(draft, format)}</dd><dt>${texts.yours}</dt><dd>${sentence}</dd></dl>
        <div class="buttons">
          <button type="button" class="primary" @click=${() => actions.takeEqual(form)}>${texts.sameOne}</button>
          <button type="button" class="plain" @click=${() => actions.sendSecond(form)}>${fill(texts.secondOne, { button })}</button>
        </div>`;
    }
    const { text, tone } = form.outcome(draft.answer?.status);
    return html`<p class="message ${tone}" tabindex="-1" role="status">${text}</p>${after}<div class="buttons">${close}</div>`;
  };
  return html`<section class="action" aria-label=${form.title} data-turn=${`${form.id} ${draft.turn}`} @keydown=${onKey}>
    <h2>${form.title}</h2>
    ${body()}
  </section>`;
}

function equalText({ equal, fault }: Draft, format: Format): string {
  if (!equal) return fault?.resource ?? '';
  const { amount, by, createdAt, status } = equal;
  const words: Readonly<Record<string, string>> = { ...format.texts.statuses, ...format.texts.operationStatuses };
  return [format.money(amount), format.dateTime(createdAt), authorText(by, format), words[status] ?? status].join(
    ' · ',
  );
}

function editView(form: ActionForm, draft: Draft, actions: ActionController, format: Format): TemplateResult {
  const { texts } = format;
  const submit = (event: Event): void => {
    event.preventDefault();
    actions.submit(form);
  };
  const button = form.isConfirmed ? texts.goOn : form.confirm(draft.values).button;
  const { intro = [] } = form;
  const refused = draft.fault?.param?.split('.') ?? [];
  const field = form.fields.findLast(({ name }) => refused.includes(name));
  const steps = html`<ol class="steps">${intro.map((each) => html`<li>${each}</li>`)}</ol>`;
  return html`${intro.length > 1 ? steps : intro.map((each) => html`<p>${each}</p>`)}
    <form novalidate @submit=${submit}>
      ${draft.fault ? html`<p class="notice bad" role="alert">${faultText(draft.fault, format, field?.label).title}</p>` : nothing}
      ${form.fields.map((field) => fieldView(field, form, draft, actions))}
      <div class="buttons">
        <button type="submit" class="primary">${button}</button>
        <button type="button" class="plain" @click=${() => actions.close()}>${texts.cancel}</button>
      </div>
    </form>`;
}

function fieldView(field: Field, form: ActionForm, draft: Draft, actions: ActionController): TemplateResult {
  const { name, label, type, hint, options, isOptional } = field;
  const error = draft.errors[name];
  const value = draft.values[name] ?? '';
  const notes = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ') || nothing;
  const set = (event: Event): void => actions.set(form, name, (event.target as HTMLInputElement).value);
  const isWrong = error ? 'true' : nothing;
  const control = (): TemplateResult => {
    if (type === 'select') {
      return html`<select id=${name} name=${name} aria-describedby=${notes} aria-required=${!isOptional} aria-invalid=${isWrong} @change=${set}>
        ${options?.map(([each, text]) => html`<option value=${each} ?selected=${each === value}>${text}</option>`)}
      </select>`;
    }
    if (type === 'area') {
      return html`<textarea id=${name} name=${name} rows="2" maxlength="500" dir="auto" aria-describedby=${notes} aria-required=${!isOptional} aria-invalid=${isWrong} .value=${value} @input=${set}></textarea>`;
    }
    return html`<input id=${name} name=${name} autocomplete="off" maxlength=${type === 'amount' ? 30 : 200} dir=${type === 'amount' ? 'ltr' : 'auto'}
      inputmode=${type === 'amount' ? 'decimal' : nothing} aria-describedby=${notes} aria-required=${!isOptional} aria-invalid=${isWrong} .value=${value} @input=${set} />`;
  };
  return html`<div class="field">
    <label for=${name}>${label}</label>${control()}
    ${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : nothing}
    ${error ? html`<p class="error" role="alert" id="${name}-error">${error}</p>` : nothing}
  </div>`;
}
