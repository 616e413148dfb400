/** The pages for guests that the proxy itself shows. */
import type { OperationText, OperationTexts } from '../operation-text.ts';

const LINK = { linkId: 'Secret of the payment link.' };
const AFTER_RETURN = { sessionId: 'Id of the session.', nonce: 'The secret of one of its attempts.' };
const REFUSED: OperationText['answers'] = {
  404: { description: 'No such address', type: 'text/html' },
  429: {
    description: 'Too many requests from this address, or too many failed starts',
    type: 'text/html',
    headers: ['Retry-After'],
  },
  default: { description: 'A page that says that it did not work', type: 'text/html', headers: ['Retry-After'] },
};
const RETURN: Pick<OperationText, 'answers' | 'params'> = {
  answers: {
    200: { description: 'The result page; 303 to the return address in the redirect flow', type: 'text/html' },
    303: { description: 'To the return address', headers: ['Location'] },
    ...REFUSED,
  },
  params: {
    sessionId: 'Id of the session that the guest was paying.',
    nonce: 'A secret of this one attempt; a wrong one is answered with 404.',
    outcome: 'Which of its two addresses the hosted page used.',
  },
};

export const PAGES: OperationTexts = {
  returnFromHostedPage: {
    ...RETURN,
    summary: 'Receive the guest who returns from the hosted page',
    description:
      'For the hosted page. The proxy asks the payment service what happened; what this address says is not believed.',
  },
  returnFromHostedPageByPost: {
    ...RETURN,
    summary: 'Receive the guest who returns by form post; the body is not read',
    description: 'For hosted pages that send the guest back with a form.',
  },
  showAfterReturn: {
    summary: 'Show the page after a payment again',
    description: 'For the guest’s browser. A visit does not count as a sign of the guest.',
    answers: RETURN.answers,
    params: AFTER_RETURN,
  },
  startAfterReturn: {
    summary: 'Start the next attempt from the page after the last one',
    description: 'The form of the result page. Only the page of the newest attempt starts anything.',
    answers: {
      303: { description: 'To the hosted page', headers: ['Location'] },
      ...REFUSED,
      default: { description: 'The page again, with the reason', type: 'text/html', headers: ['Retry-After'] },
    },
    params: AFTER_RETURN,
  },
  showPaymentLink: {
    summary: 'Show the page of a payment link',
    description: 'For the guest’s browser. The payment service is not asked anything.',
    answers: { 200: { description: 'The page', type: 'text/html' }, ...REFUSED },
    params: LINK,
  },
  startPaymentLink: {
    summary: 'Start a payment from its link',
    description: 'The form of the link’s page. Never makes a second payment while one is under way.',
    answers: {
      303: { description: 'To the hosted page', headers: ['Location'] },
      ...REFUSED,
      default: { description: 'The link’s page again, with the reason', type: 'text/html', headers: ['Retry-After'] },
    },
    params: LINK,
  },
  showPaymentLinkCode: {
    summary: 'Show the QR code of a payment link',
    description: 'For a screen or a letter: the code holds the link’s address.',
    answers: { 200: { description: 'The code', type: 'image/svg+xml' }, ...REFUSED },
    params: LINK,
  },
};
