/** The events of the feed and of webhooks, and those of the elements. */
import { openApiDocument } from '../../../packages/edge-proxy/openapi/document.ts';
import {
  MONEY_STATE_WORDS,
  OTHER_EVENT_WORDS,
  SESSION_STATE_WORDS,
} from '../../../packages/edge-proxy/openapi/state-words.ts';
import { toSessionStatus } from '../../../packages/edge-proxy/src/policy/session-machine.ts';
import { VERSION } from '../../../packages/edge-proxy/src/version.ts';
import type { ApiIndex } from './api-index.ts';
import { commentedParts } from './commented-source.ts';
import { elementEventAddress, elements } from './element-pages.ts';
import { fieldTable, type JsonSchema } from './field-rows.ts';
import type { Gaps } from './gaps.ts';
import { groupPath } from './http-operations.ts';
import { address, anchorOf, blocks, code, codeLink, heading, table } from './markdown.ts';
import type { ReferencePage } from './reference-page.ts';
import type { SourceModel } from './source-model.ts';

const SIGNATURE = 'packages/core/src/webhooks/signature.ts';

/** The page of all events. */
export function eventsPage(model: SourceModel, index: ApiIndex, gaps: Gaps): ReferencePage {
  const { schemas } = (
    openApiDocument(VERSION) as { readonly components: { readonly schemas: Record<string, JsonSchema> } }
  ).components;
  const event = schemas.Event ?? {};
  const types = (event.properties?.type?.enum ?? []).map(String);
  return {
    path: 'reference/events',
    title: 'Events',
    description: 'Every event that webhooks and the feed carry, how they are signed, and the events of the elements.',
    markdown: blocks(
      event.description,
      `The feed is read with ${feedLink()}; the same events go to the property’s webhooks.`,
      heading(2, 'Fields of an event'),
      fieldTable(event, {
        gaps,
        what: 'event',
        find: index.find,
        words: model.declaration('packages/core/src/webhooks/index.ts', 'WebhookEvent'),
        linkTo: ({ properties }) =>
          properties?.object?.const === undefined ? undefined : resourceLink(properties.object.const),
      }),
      heading(2, 'Headers of a webhook'),
      `A webhook is a ${code('POST')} whose body is the event, signed by the Standard Webhooks specification. ${verifyLink(index)} checks it.`,
      headerTable(gaps),
      heading(2, 'Event types'),
      ...types.map((type) => typeEntry(type, gaps)),
      heading(2, 'Events of the elements'),
      'All bubble and are composed. No detail ever carries a secret.',
      elementEvents(),
    ),
  };
}

function feedLink(): string {
  return codeLink('GET /v1/events', address(groupPath('Events'), anchorOf('GET /v1/events')));
}

function verifyLink(index: ApiIndex): string {
  const module = index.modules.find(({ specifier }) => specifier === '@innkeep/core/webhooks');
  const verify = module && index.exportsOf(module).find(({ name }) => name === 'verifyWebhook');
  const href = verify === undefined ? undefined : index.find(verify);
  if (href === undefined) throw new Error('There is no verifyWebhook.');
  return codeLink('verifyWebhook', href);
}

/** A link to the resource that an event carries. */
function resourceLink(object: unknown): string {
  switch (object) {
    case 'checkout_session':
      return `[Checkout session](${address(groupPath('Checkout sessions'), 'checkout-session')})`;
    case 'charge':
      return `[Charge](${address(groupPath('Charges and reversals'), 'charge')})`;
    case 'webhook_endpoint':
      return `[Webhook endpoint](${address(groupPath('Events'), 'webhook-endpoint')})`;
    default:
      return `[Reversal](${address(groupPath('Charges and reversals'), 'reversal')})`;
  }
}

function headerTable(gaps: Gaps): string {
  return table(
    ['Header', 'Meaning'],
    commentedParts(SIGNATURE, 'WEBHOOK_HEADERS').map(({ value, comment }) => [
      code(String(value)),
      gaps.require(comment, `webhook header ${String(value)}`),
    ]),
  );
}

function typeEntry(type: string, gaps: Gaps): string {
  const [kind = '', state = ''] = type.split('.');
  const resource = kind === 'checkout' ? 'checkout_session' : kind;
  const object = `${code('data.object')}: ${resourceLink(resource)}`;
  const other = OTHER_EVENT_WORDS[type];
  if (other !== undefined) return blocks(heading(3, type), other, object);
  const words = new Map<string, string>([
    ...Object.entries(kind === 'checkout' ? SESSION_STATE_WORDS : MONEY_STATE_WORDS).filter(
      ([name]) => name !== 'lapsed' && toStatus(name) === state,
    ),
  ]);
  return blocks(
    heading(3, type),
    `The ${kind === 'checkout' ? 'session' : kind} is now ${codeLink(state, address('reference/states', anchorOf(machineOf(kind))))}. ${gaps.require(words.get(state), `event ${type}`)}`,
    object,
  );
}

function machineOf(kind: string): string {
  return kind === 'checkout' ? 'Checkout session' : 'Charge and reversal';
}

function toStatus(name: string): string {
  return name in SESSION_STATE_WORDS ? toSessionStatus(name as keyof typeof SESSION_STATE_WORDS) : name;
}

function elementEvents(): string {
  const rows = new Map<string, { readonly description: string; readonly tags: string[] }>();
  for (const { tagName, events } of elements()) {
    for (const { name, description = '' } of events) {
      const row = rows.get(name) ?? { description, tags: [] };
      rows.set(name, { ...row, tags: [...row.tags, tagName] });
    }
  }
  return table(
    ['Event', 'Meaning', 'Sent by'],
    [...rows].map(([name, { description, tags }]) => [
      code(name),
      description,
      tags.map((tag) => codeLink(`<${tag}>`, elementEventAddress(tag, name))).join(', '),
    ]),
  );
}
