/** The proxy itself, and the gateway. */
import { HealthSchema } from '@innkeep/core/contract';
import type { OperationTexts } from '../operation-text.ts';

export const SERVICE: OperationTexts = {
  showPageStyle: {
    summary: 'Retrieve the style sheet of the pages',
    description: 'For the proxy’s own pages.',
    answers: { 200: { description: 'The sheet', type: 'text/css' } },
    problems: ['method_not_allowed', 'not_found'],
  },
  showDeskScript: {
    summary: 'Retrieve the script of the desk page',
    description: 'For the proxy’s own page.',
    answers: { 200: { description: 'The script', type: 'text/javascript' } },
    problems: ['method_not_allowed', 'not_found'],
  },
  showOpenApiDocument: {
    summary: 'Retrieve this document',
    description: 'Generated from the routes when the proxy was built.',
    answers: { 200: { description: 'OpenAPI 3.1', type: 'application/json' } },
    problems: ['method_not_allowed', 'not_found'],
  },
  showPlatformOpenApiDocument: {
    summary: 'Retrieve the document for operators',
    description: 'How a hotel is doing, and the calls of platform keys. Generated like the other document.',
    answers: { 200: { description: 'OpenAPI 3.1', type: 'application/json' } },
    problems: ['method_not_allowed', 'not_found'],
  },
  health: {
    summary: 'Check whether the proxy runs',
    description: 'For whoever watches the proxy. It says nothing about the payment service.',
    answers: { 200: { description: 'It runs; nothing was called to find out', schema: HealthSchema } },
    problems: ['method_not_allowed', 'property_unavailable'],
  },
  sendToGateway: {
    summary: 'Send a message to the property-management gateway',
    description:
      'Bytes and content type go through unchanged. The message is sent once, and never repeated automatically. Card numbers in the answer are masked where they stand (`424242......4242`); every ' +
      'other byte is the gateway’s. After a failure look into the property-management system before sending it again.',
    answers: { 200: { description: 'The gateway’s own answer', type: '*/*' } },
    problems: ['unsupported_media_type', 'upstream_error', 'upstream_timeout', 'upstream_unavailable'],
  },
};
