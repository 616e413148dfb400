/**
 * A question to the property-management system, through the proxy's gateway: who stays in a room? The key of that system
 * stays with the proxy, the hotel's server gets the answer's bytes.
 */
import { isInnkeepError } from '@innkeep/core/errors';
import { formBody, type GatewayReply, readGatewayReply, type XmlNode } from '@innkeep/core/gateway';
import type { MerchantClient } from '@innkeep/core/merchant';

export interface RoomGuest {
  readonly name: string;
  /** `YYYY-MM-DD`; empty when the system does not say. */
  readonly from: string;
  readonly to: string;
}

/** What came of asking: a room, or why there is none; with the answer itself when there was one. */
export interface RoomAnswer {
  readonly number: string;
  readonly guests: readonly RoomGuest[];
  readonly remarks: string;
  readonly problem: string | null;
  readonly xml: string | null;
}

/** Asks for one room. Never rejects because of what the gateway says: the desk stays usable without it. */
export async function lookUpRoom(gateway: MerchantClient['gateway'], number: string): Promise<RoomAnswer> {
  const nothing = { number, guests: [], remarks: '', xml: null };
  try {
    const body = formBody({ transno: '1', roomreq: number, extraInfo: ['REMARKS'], mandator: '1' });
    const reply = readGatewayReply(await gateway.send('RMS', 'roomreq', body));
    return toAnswer(number, reply);
  } catch (error) {
    if (isInnkeepError(error, 'gateway_error')) {
      // True because only readGatewayReply throws this error, with the reply it has read.
      const { reply } = error as typeof error & { readonly reply: GatewayReply };
      return { ...nothing, problem: 'The hotel’s system refused the request.', xml: reply.text() };
    }
    if (!isInnkeepError(error)) throw error;
    return { ...nothing, problem: problemOf(error.code, number) };
  }
}

function toAnswer(number: string, reply: GatewayReply): RoomAnswer {
  const { document } = reply;
  if (document === undefined) {
    return { number, guests: [], remarks: '', problem: 'The answer is not XML.', xml: reply.text() };
  }
  return {
    number: document.get('roomreq') ?? number,
    guests: document.children.filter((child) => child.name === 'guest').map(toGuest),
    remarks: document.get('remarks') ?? '',
    problem: null,
    xml: reply.text(),
  };
}

function toGuest(node: XmlNode): RoomGuest {
  const name = ['title', 'firstname', 'lastname'].flatMap((part) => node.get(part) || []).join(' ');
  return { name, from: node.get('from') ?? '', to: node.get('to') ?? '' };
}

function problemOf(code: string, number: string): string {
  switch (code) {
    case 'upstream_error':
      // A room that does not exist and a system that is out of order look the same from here.
      return `The hotel’s system has no answer for room ${number}. Check the number; if it is right, try again in a moment.`;
    case 'forbidden':
      return 'This key may not ask the hotel’s system.';
    case 'xml_refused':
      return 'The answer was XML that cannot be accepted.';
    default:
      return 'The hotel’s system cannot be reached. Try again in a moment.';
  }
}
