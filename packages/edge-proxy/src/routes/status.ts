/** `/v1/status`: how the hotel is doing, for whoever watches over it. */
import { PropertyStatusSchema } from '@innkeep/core/contract';
import { describe } from '../middleware/describe.ts';
import { merchantApp } from '../middleware/resource-app.ts';

export const status = merchantApp('events', { tag: 'Service' }).get(
  '/',
  describe({
    id: 'retrieveStatus',
    summary: 'How the hotel is doing: what is uncertain, what waits, and how full its ledger is',
    description:
      'Numbers alone: the lists say which ones, `status=unknown` first. Costs little, so that it may be asked every minute.',
    answers: { 200: { description: 'How the hotel is doing', schema: PropertyStatusSchema } },
  }),
  async (c) => {
    const { id } = c.get('property');
    return c.json(await c.get('dependencies').ledger(id).status(id));
  },
);
