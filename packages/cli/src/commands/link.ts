import { given } from '../input/given.ts';
import { detailList } from '../terminal/table.ts';
import { type CommandGroup, defineCommand } from './command-spec.ts';
import { answerSession } from './session.ts';
import { idempotencyOption } from './shared-options.ts';

const create = defineCommand<{ readonly idempotencyKey?: string }>({
  usage: 'create <session>',
  summary: 'Make a payment link and a QR code for a session',
  details: 'Whoever has the link can pay the session. It works without a page of the hotel.',
  options: [idempotencyOption('a repeated call with this key returns the same link')],
  examples: ['innkeep link create cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E'],
  async run(context, [id = ''], { idempotencyKey }) {
    const { checkoutSessions } = await context.merchant();
    const link = await checkoutSessions.createLink(id, { ...given({ idempotencyKey }), signal: context.io.signal });
    const text = detailList([
      ['Link', link.url],
      ['QR code', link.qrUrl],
      ['Expires', link.expiresAt],
    ]);
    return context.answer(link, text);
  },
});

const revoke = defineCommand<object>({
  usage: 'revoke <session>',
  summary: 'Revoke every payment link of a session',
  details: 'A guest who has the payment service’s page open already can still pay. The session itself stays as it is.',
  examples: ['innkeep link revoke cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E'],
  async run(context, [id = '']) {
    const { checkoutSessions } = await context.merchant();
    return answerSession(context, await checkoutSessions.revokeLinks(id, { signal: context.io.signal }));
  },
});

/** Links: sessions that are paid on a page of the proxy. */
export const LINK_COMMANDS: CommandGroup = {
  name: 'link',
  summary: 'Payment links for sessions',
  commands: [create, revoke],
};
