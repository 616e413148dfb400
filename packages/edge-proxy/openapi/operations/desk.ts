/** Desk sessions, and what their pages ask first. */
import { CreatedDeskSessionSchema, DeskSchema, DeskSessionListSchema, DeskSessionSchema } from '@innkeep/core/contract';
import type { OperationTexts } from '../operation-text.ts';

export const DESK: OperationTexts = {
  createDeskSession: {
    summary: 'Create a desk session for one person at one page',
    description:
      'It may do some of what the key may, for at most an hour; eight with `page`. Call it when your back office has signed the person in, and give the `clientSecret` to the page. With `page` it is for the proxy’s own page instead: give the `url` to the person, who opens it once, within a minute; it lasts eight hours at most, and ends when nobody has used it for 15 minutes. The person is the author of whatever they do. The session ends with its key, and can never do more than the key can at that moment.',
    answers: {
      201: { description: 'The session; its secret or link is shown this once', schema: CreatedDeskSessionSchema },
    },
    example: {
      person: { id: 'emp-42' },
      origin: 'https://office.hotel.example',
      features: ['read', 'reverse'],
      maxReversal: { EUR: 20_000 },
      expiresInSeconds: 3_600,
    },
  },
  listDeskSessions: {
    summary: 'List desk sessions, newest first',
    description: 'Those of every key of the hotel. A session is deleted a day after it has expired.',
    answers: { 200: { description: 'A page', schema: DeskSessionListSchema } },
  },
  revokeDeskSession: {
    summary: 'Revoke a desk session',
    description: 'The next call with its secret is refused. Repeating it changes nothing.',
    answers: {
      200: {
        description: 'The session, ended',
        schema: DeskSessionSchema,
        example: { status: 'ended', revokedAt: '2026-09-03T08:30:00.000Z' },
      },
    },
    problems: ['not_found'],
  },
  retrieveDesk: {
    summary: 'Retrieve the current desk session: its person, hotel and features',
    description: 'For the page: what to show, and in which time zone.',
    answers: { 200: { description: 'The desk', schema: DeskSchema } },
  },
  signOutOfDesk: {
    summary: 'End the current desk session',
    description: 'For the page, when its person leaves.',
    answers: { 204: { description: 'It has ended' } },
  },
  showDeskPage: {
    summary: 'Show the proxy’s own desk page',
    description:
      'For the browser of whoever has the link. The page is the same for everybody: it requests what it shows with its cookie.',
    answers: { 200: { description: 'The page', type: 'text/html' } },
  },
  openDeskPage: {
    summary: 'Exchange a one-time code for the cookie of the desk page',
    description:
      'Only for the proxy’s own page. A code works once, within a minute. The cookie is for the addresses below `/desk/{property}`.',
    answers: { 204: { description: 'The cookie is set', headers: ['Set-Cookie'] } },
    problems: ['unauthorized', 'forbidden', 'rate_limited', 'property_unavailable'],
  },
};
