/**
 * A form that changes something: filled in, confirmed, sent once. Its key is made when it is opened and lives until there is an outcome, so
 * that a double click, a lost answer or a form opened again can only ask for what was sent already.
 */
import type { ReactiveController } from 'lit';
import { DeskFault, faultOf } from '../client/desk-fault.ts';
import type { DeskConnection } from './desk-connection.ts';
import { type Answer, type Draft, type Equal, newDraft, type Step, type Values } from './draft.ts';
import type { ReaderHost } from './reader.ts';

/** Whether a refusal is about the call itself: had an earlier try come through, the proxy would have answered with that. */
function isAboutTheCall({ code, status }: DeskFault): boolean {
  return code === 'limit_reached' || [400, 404, 409].includes(status);
}

/** What a form is about. It is made anew with every render, in the language of the moment. */
export interface Action {
  /** What it is for: two forms with the same id are one. */
  readonly id: string;
  readonly path: string;
  readonly defaults: Values;
  /** Whether the proxy takes a key with it. */
  readonly isKeyed: boolean;
  /** Whether it is shown once more before it is sent. */
  readonly isConfirmed: boolean;
  /** What is wrong with the values, by field. */
  check(values: Values): Readonly<Record<string, string>>;
  body(values: Values): object;
  /** Looks for an equal one where the proxy does not. */
  findEqual?(values: Values, link: DeskConnection): Promise<Equal | undefined>;
  /** Called when the equal one is as good. */
  onEqual?(equal: Equal): void;
  /** Called with the answer. */
  onDone?(answer: Answer): void;
}

/** The forms of one element; one is open at a time. */
export class ActionController implements ReactiveController {
  /** Id of the open form. */
  declare openId: string | undefined;

  readonly #host: ReaderHost;

  constructor(host: ReaderHost) {
    this.#host = host;
    host.addController(this);
  }

  // Whoever comes back begins anew.
  hostDisconnected(): void {
    this.close();
  }

  /** The state of an open form. */
  draftOf({ id, defaults }: Action): Draft {
    const drafts = this.#host.link?.drafts;
    const draft = drafts?.get(id) ?? newDraft(defaults);
    drafts?.set(id, draft);
    return draft;
  }

  /** Opens a form. One that was left while it was sent, and has its outcome, begins anew, unless that is still to be seen. */
  open(id: string, isToBeSeen = false): void {
    this.#host.link?.before?.clear();
    this.openId = id;
    if (!isToBeSeen) this.close(true);
    this.openId = id;
    this.#host.requestUpdate();
  }

  /** Closes the form. What was sent without an outcome is kept, and for a look at something else what is being typed; the rest begins anew. */
  close(isForNow = false): void {
    const drafts = this.#host.link?.drafts;
    const step = drafts?.get(this.openId ?? '')?.step;
    if (step !== 'lost' && step !== 'sending' && !(isForNow && step === 'edit')) drafts?.delete(this.openId ?? '');
    this.openId = undefined;
    this.#host.requestUpdate();
  }

  /** One step back: from the confirmation to the form, from the form out. */
  back(action: Action): void {
    const draft = this.draftOf(action);
    if (draft.step === 'confirm') this.#move(draft, 'edit');
    else this.close();
  }

  set(action: Action, name: string, value: string): void {
    const draft = this.draftOf(action);
    draft.values[name] = value;
    draft.errors = { ...draft.errors, [name]: '' };
    this.#host.requestUpdate();
  }

  /** The form is filled in. */
  submit(action: Action): void {
    const draft = this.draftOf(action);
    if (draft.step !== 'edit') return;
    draft.fault = undefined;
    draft.errors = action.check(draft.values);
    if (Object.keys(draft.errors).length > 0) this.#move(draft, 'edit');
    else if (action.isConfirmed) this.#move(draft, 'confirm');
    else void this.#send(action, draft, action.body(draft.values));
  }

  /** It was confirmed. */
  confirm(action: Action): void {
    const draft = this.draftOf(action);
    if (draft.step === 'confirm') void this.#send(action, draft, action.body(draft.values));
  }

  /** Asks what became of it: the same words with the same key do nothing twice. */
  askAgain(action: Action): void {
    const draft = this.draftOf(action);
    if (draft.step === 'lost' && draft.body) void this.#send(action, draft, draft.body);
  }

  /** It is meant, although there is an equal one. */
  sendSecond(action: Action): void {
    const draft = this.draftOf(action);
    if (draft.step !== 'duplicate' || !draft.body) return;
    // Nothing was stored under the first key.
    draft.key = crypto.randomUUID();
    void this.#send(action, draft, action.findEqual ? draft.body : { ...draft.body, allowDuplicate: true }, true);
  }

  /** There is an equal one, and it is as good. */
  takeEqual(action: Action): void {
    const { equal } = this.draftOf(action);
    this.close();
    if (equal) action.onEqual?.(equal);
  }

  async #send(action: Action, draft: Draft, body: object, isMeant = false): Promise<void> {
    const { link } = this.#host;
    if (!link) return;
    const wasLost = draft.step === 'lost';
    draft.body = body;
    draft.fault = undefined;
    this.#move(draft, 'sending');
    try {
      const mustFind = action.findEqual && !isMeant && !wasLost;
      draft.equal = mustFind ? await action.findEqual?.(draft.values, link).catch(() => undefined) : undefined;
      if (draft.equal) {
        this.#move(draft, 'duplicate');
        return;
      }
      // While it is being found out whose desk it is, nothing leaves in their name.
      await link.open();
      const idempotencyKey = action.isKeyed ? draft.key : undefined;
      draft.answer = await link.client.json<Answer>(action.path, { body, idempotencyKey });
      if (typeof draft.answer.id !== 'string') throw new DeskFault('invalid_response');
      this.#move(draft, 'done');
      action.onDone?.(draft.answer);
    } catch (error) {
      const fault = faultOf(error);
      draft.fault = fault;
      if (fault.status === 403) link.retry();
      const isDuplicate = fault.code === 'possible_duplicate';
      if (isDuplicate) void this.#findEqual(link, draft, fault.resource ?? '');
      // A refusal that is not about the call itself says nothing of an earlier try.
      const isLost = fault.isOutcomeOpen || (wasLost && !isAboutTheCall(fault));
      this.#move(draft, isDuplicate ? 'duplicate' : isLost ? 'lost' : 'edit');
    } finally {
      link.wrote();
    }
  }

  /** What is there already, to be shown beside what was asked for. */
  async #findEqual(link: DeskConnection, draft: Draft, id: string): Promise<void> {
    const path = id.startsWith('rv_') ? 'reversals' : 'charges';
    draft.equal = await link.client.json<Equal>(`${path}/${id}`).catch(() => undefined);
    this.#host.requestUpdate();
  }

  #move(draft: Draft, step: Step): void {
    draft.step = step;
    draft.turn += 1;
    this.#host.requestUpdate();
  }
}
