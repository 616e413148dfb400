import { EXIT } from '../exit-code.ts';
import { facts } from '../terminal/table.ts';
import { type CommandGroup, defineCommand } from './command-spec.ts';

const create = defineCommand<object>({
  usage: 'create <session>',
  summary: 'Make a payment link and a QR code for a session',
  details: 'Whoever has the link can pay the session. It works without a page of the hotel.',
  examples: ['innkeep link create cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E'],
  async run(context, [id = '']) {
    const { checkoutSessions } = await context.merchant();
    const link = await checkoutSessions.createLink(id, { signal: context.io.signal });
    const text = facts([
      ['Link', link.url],
      ['QR code', link.qrUrl],
      ['Expires', link.expiresAt],
    ]);
    await context.answer(link, text);
    return EXIT.ok;
  },
});

/** Links: sessions that are paid on a page of the proxy. */
export const LINK_COMMANDS: CommandGroup = {
  name: 'link',
  summary: 'Payment links for sessions',
  commands: [create],
};
