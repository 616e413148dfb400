/** The least that an element on Lit can be: what the elements are measured beside. */
import { html, LitElement, type TemplateResult } from 'lit';

class LitButton extends LitElement {
  protected override render(): TemplateResult {
    return html`<button part="button">Pay</button>`;
  }
}

customElements.define('lit-button', LitButton);
