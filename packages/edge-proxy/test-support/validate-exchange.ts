/** Every exchange of every test is held against the API's description: an answer it does not describe fails the test. */
import { wholeOpenApiDocument } from '../openapi/document.ts';
import { VERSION } from '../src/telemetry/version.ts';
import { exchangeCheck } from './exchange-check.ts';

/** Throws when the exchange is not as described. */
export const validateExchange = exchangeCheck(wholeOpenApiDocument(VERSION));
