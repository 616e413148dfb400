/** `RMS/keepalivereq`: is anybody there? @see upstream API, section "Gateway request bodies" */
import type { GatewayMessage } from './message.ts';

/** Answers with the same `OC` and `TN`, and with the sandbox's own time. */
export const keepAlive: GatewayMessage = {
  body: 'xml',
  required: ['OC', 'TN', 'CDT', 'status'],
  optional: [],
  answer: (world, fields) => [
    { name: 'OC', content: fields.get('OC') ?? '' },
    { name: 'TN', content: fields.get('TN') ?? '' },
    { name: 'CDT', content: world.profile.dateTime(world.clock.localDateTime()) },
    { name: 'status', content: '0' },
  ],
};
