/** `/v1/checkout`: the guest's two calls, read the session and start it. */
import { StartCheckoutSchema, type StartedCheckout } from '@innkeep/core/contract';
import { guestApp } from '../middleware/resource-app.ts';
import { jsonBody } from '../middleware/validate.ts';

/** The sub-app. */
export const checkout = guestApp()
  .get('/', async (c) => {
    const view = await c.get('dependencies').sessions.read(c.get('guest'));
    c.get('facts').resource = view.id;
    return c.json(view);
  })
  .post('/start', jsonBody(StartCheckoutSchema), async (c) => {
    const guest = c.get('guest');
    const how = { ...c.req.valid('json'), publicUrl: guest.publicOrigin };
    const { view, viewUrl } = await c.get('dependencies').sessions.start(guest, how);
    c.get('facts').resource = view.id;
    const answer: StartedCheckout = { ...view, viewUrl };
    return c.json(answer);
  });
