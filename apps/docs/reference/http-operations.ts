/** The operations of the HTTP API, and where each is described. */
import { MOTO_OPERATIONS } from '../../../packages/edge-proxy/openapi/moto-document.ts';
import type { Operation } from '../../../packages/edge-proxy/openapi/operation.ts';
import { OPERATIONS } from '../../../packages/edge-proxy/openapi/operations.ts';
import { address, anchorOf, codeLink } from './markdown.ts';

/** Every operation, those of the MOTO build last. */
export const ALL_OPERATIONS: readonly Operation[] = [...OPERATIONS, ...MOTO_OPERATIONS];

/** `POST /v1/charges/{id}`, as headings and links say it. */
export function operationName({ method, path }: Operation): string {
  return `${method} ${path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}')}`;
}

/** Path of the page of a group of operations. */
export function groupPath(tag: Operation['tag']): string {
  return `reference/http/${anchorOf(tag)}`;
}

/** A link to an operation's entry. */
export function operationLink(operation: Operation): string {
  const name = operationName(operation);
  return codeLink(name, address(groupPath(operation.tag), anchorOf(name)));
}
