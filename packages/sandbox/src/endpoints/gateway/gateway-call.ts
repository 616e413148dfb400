/** Classic interfaces over HTTPS. @see upstream API, sections "Gateway request bodies" and "Endpoints" */
import { fromLatin1, readAsWindows1252 } from '../../wire/latin1.ts';
import { Refusal } from '../../wire/refusal.ts';
import { isXmlText, readFlatDocument, writeDocument, type XmlElement } from '../../wire/xml.ts';
import type { World } from '../../world/world.ts';
import { type ApiCall, refuseUnknownQuery } from '../api-call.ts';
import { planOperation } from '../plan-operation.ts';
import { jsonReply, type Reply, type ReplyExtras } from '../reply.ts';
import { requireApiKey, requireProductId } from './authorize-gateway.ts';
import { keepAlive } from './keep-alive.ts';
import { type GatewayMessage, toMessageFields } from './message.ts';
import { roomRequest } from './room-request.ts';

const ROOT = 'SIHOT-Document';

/** Growth table: `<protocol>/<method>` → message. */
const MESSAGES: ReadonlyMap<string, GatewayMessage> = new Map([
  ['RMS/keepalivereq', keepAlive],
  ['RMS/roomreq', roomRequest],
]);

/** `POST /<customer_id>/API/<protocol>/<method>`. */
export function gatewayCall(world: World, call: ApiCall): Reply {
  requireApiKey(world, call);
  const { productId } = world.settings;
  refuseUnknownQuery(world, call, ['api_key', ...(productId?.in === 'query' ? [productId.name] : [])]);
  const message = MESSAGES.get(call.url.pathname.split('/').slice(-2).join('/'));
  if (message === undefined) throw new Refusal('not_found', 'is not a method of this gateway', 'method');
  const sent = message.body === 'xml' ? readXml(world, call) : readForm(call);
  requireProductId(world, call, (name) => sent.find(([known]) => known === name)?.[1]);
  const isInBody = productId !== undefined && productId.in === message.body;
  const fields = toMessageFields(message, {
    sent,
    ignoresUnknownFields: world.profile.ignoresUnknownFields,
    also: isInBody ? productId.name : undefined,
  });

  const { plan, extras } = planOperation(world, 'gateway');
  if (plan.decline !== undefined) return xmlReply(world, IN_BAND_FAILURE, extras);
  if (plan.isSkipped === true) return jsonReply({}, extras);
  return xmlReply(world, message.answer(world, fields), extras);
}

// HTTP 200 and still a failure: public hints know two spellings of it; this is one.
const IN_BAND_FAILURE: readonly XmlElement[] = [
  { name: 'RC', content: '1' },
  { name: 'MSG', content: 'Operation failed' },
];

function readXml(world: World, call: ApiCall): [string, string][] {
  requireMediaType(call, 'text/xml', 'application/xml');
  const { readsAnyXml } = world.profile;
  const { root, children } = readFlatDocument(call.body, { readsAnyEncoding: readsAnyXml, charset: charsetOf(call) });
  const isRoot = readsAnyXml ? root.toLowerCase() === ROOT.toLowerCase() : root === ROOT;
  if (!isRoot) throw new Refusal('invalid_request', `the root element must be ${ROOT}`);
  return children.map(({ name, text }) => [name, text]);
}

function readForm(call: ApiCall): [string, string][] {
  requireMediaType(call, 'application/x-www-form-urlencoded');
  const fields = readPairs(call.body, charsetOf(call));
  // The answer is XML and repeats some of them.
  const illegal = fields.find(([, value]) => !isXmlText(value));
  if (illegal !== undefined) throw new Refusal('invalid_request', 'has a character that is not allowed', illegal[0]);
  return fields;
}

function readPairs(body: Uint8Array, charset: string): [string, string][] {
  if (charset === 'iso-8859-1') return readByteForm(body, (text) => text);
  if (charset === 'windows-1252') return readByteForm(body, readAsWindows1252);
  return [...new URLSearchParams(new TextDecoder().decode(body))];
}

/** A form in an encoding with one byte for each character; `toText` has what differs from ISO-8859-1. */
function readByteForm(body: Uint8Array, toText: (latin1: string) => string): [string, string][] {
  const decode = (part: string): string =>
    toText(
      part
        .replaceAll('+', ' ')
        .replace(/%([\dA-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    );
  return fromLatin1(body)
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [decode(name), decode(value.join('='))];
    });
}

function xmlReply(world: World, content: readonly XmlElement[], extras: ReplyExtras): Reply {
  const usesWindows1252References = world.profile.readsAnyXml;
  const body = writeDocument({ name: ROOT, content }, { usesWindows1252References });
  return { status: 200, contentType: 'text/xml; charset=ISO-8859-1', body, ...extras };
}

// The specification lists no content type among the headers of a gateway request, so it may be left out.
function requireMediaType(call: ApiCall, ...known: readonly string[]): void {
  const mediaType = (call.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (mediaType === '' || known.includes(mediaType)) return;
  throw new Refusal('unsupported_media_type', `must be ${known.join(' or ')}`, 'Content-Type');
}

function charsetOf(call: ApiCall): string {
  return /;\s*charset=["']?([\w.-]+)/i.exec(call.headers.get('content-type') ?? '')?.[1]?.toLowerCase() ?? '';
}
