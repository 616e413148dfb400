import { GatewayError, InvalidResponseError } from '../errors.ts';
import type { RawBody } from '../transport/exchange.ts';
import { decodeReply } from './charset.ts';
import { readXml, type XmlNode } from './xml-reader.ts';

/** A successful reply of the gateway. */
export interface GatewayReply {
  /** Always 200. */
  status: number;
  /** As sent; `''` when there is none. */
  contentType: string;
  /** The body, unchanged. */
  bytes: Uint8Array<ArrayBuffer>;
  /** The body as text: by byte order mark, XML declaration, content type, else UTF-8 if valid, else windows-1252. */
  text(): string;
  /** The parsed document, when the body is XML. */
  document?: XmlNode;
}

/**
 * Reads a reply.
 *
 * @param what - the request that it answers, for the error
 * @throws `gateway_error` when the document says failure; `xml_refused` when it is XML that cannot be accepted;
 * `invalid_response` when there is no body
 */
export function readReply({ contentType, bytes }: RawBody, what: string): GatewayReply {
  if (bytes.length === 0) throw new InvalidResponseError('', `${what} was answered with an empty body.`);
  const text = (): string => decodeReply(bytes, contentType);
  const reply: GatewayReply = { status: 200, contentType, bytes, text };
  if (!isXml(contentType, bytes)) return reply;
  reply.document = readXml(text());
  const failure = failureOf(reply.document);
  if (failure === undefined) return reply;
  throw new GatewayError(`${what} failed: ${failure} in the reply says so.`, reply);
}

function isXml(contentType: string, bytes: Uint8Array): boolean {
  // Old servers send XML as plain text, as HTML, or with no type at all. Compared byte by byte, after blanks
  // and a byte order mark: nothing else needs a charset that is known.
  const start = String.fromCharCode(...bytes.slice(0, 99));
  return /^[^;]*[/+]xml\b/i.test(contentType) || /^[\s\0\xef\xbb\xbf\xfe\xff]*<(?!(!doctype\s+)?html\b)/i.test(start);
}

/**
 * Reads a reply that did not come through this client: the proxy's merchant API, for one, passes on the gateway's own bytes.
 *
 * @throws `gateway_error` when the document says failure; `xml_refused` when it is XML that cannot be accepted;
 * `invalid_response` when there is no body
 */
export function readGatewayReply(answer: RawBody): GatewayReply {
  return readReply(answer, 'The gateway request');
}

/** Elements that only wrap the message that says whether it succeeded. */
const WRAPPER = /^(envelope|body|.*result|.*response)$/i;

/**
 * Why a document reports a failure, or `undefined`: `RC` or `ERROR-LEVEL` present and not 0, or `Success` false, in the
 * message itself. Deeper elements of those names are data.
 */
function failureOf(document: XmlNode): string | undefined {
  // A document that consists only of the result.
  if (document.children.length === 0) return isFailure(document) ? localName(document) : undefined;
  for (const child of document.children) {
    if (isFailure(child)) return localName(child);
    const inner = WRAPPER.test(localName(child)) ? failureOf(child) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function isFailure(element: XmlNode): boolean {
  const name = localName(element).toUpperCase();
  const value = element.text.trim();
  if (name === 'RC' || name === 'ERROR-LEVEL') return !/^[+-]?0+$/.test(value);
  return name === 'SUCCESS' && /^(false|0)$/i.test(value);
}

function localName({ name }: XmlNode): string {
  return name.slice(name.indexOf(':') + 1);
}
