/** `RMS/roomreq`: who stays in a room? @see upstream API, section "Gateway request bodies" */
import { type Guest, roomNumbered } from '../../domain/hotel.ts';
import { Refusal } from '../../wire/refusal.ts';
import type { XmlElement } from '../../wire/xml.ts';
import type { GatewayMessage } from './message.ts';

/** Answers with account and guests of a room, and with its remarks when `extraInfo` asks for them. */
export const roomRequest: GatewayMessage = {
  body: 'form',
  required: ['transno', 'roomreq', 'mandator'],
  optional: ['extraInfo'],
  answer: (_world, fields) => {
    const room = roomNumbered(fields.get('roomreq') ?? '');
    if (room === undefined) throw new Refusal('not_found', 'is not a room of this hotel', 'roomreq');
    const wanted = (fields.get('extraInfo') ?? '').split(';').map((item) => item.trim().toUpperCase());
    return [
      { name: 'transno', content: fields.get('transno') ?? '' },
      { name: 'roomreq', content: room.number },
      { name: 'mandator', content: fields.get('mandator') ?? '' },
      { name: 'status', content: '0' },
      ...(room.account === '' ? [] : [{ name: 'account', content: room.account }]),
      ...room.guests.map(toElement),
      ...(wanted.includes('REMARKS') ? [{ name: 'remarks', content: room.remarks }] : []),
    ];
  },
};

function toElement({ title, firstname, lastname, from, to }: Guest): XmlElement {
  const content = Object.entries({ title, firstname, lastname, from, to });
  return { name: 'guest', content: content.map(([name, text]) => ({ name, content: text })) };
}
